import Foundation
import Testing

/// The samples of the articles that show what the examples and the scenarios do, as they stand there.
struct ExampleArticleTests {
  @Test(arguments: [("Composition.md", 7), ("EffectsAndOperations.md", 5)])
  func `every sample stands in an example`(name: String, count: Int) throws {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../..")
    var sources: [String] = []
    for directory in ["Sources/Examples", "Tests/ScenarioApplication"] {
      let files = try #require(
        FileManager.default.enumerator(
          at: top.appendingPathComponent(directory), includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        sources.append(try Article.source(file.path))
      }
    }
    let article = try Article(name)
    #expect(article.samples.count == count)
    for sample in article.samples {
      #expect(sources.contains { $0.contains(sample) }, "No example has this sample:\n\(sample)")
    }
  }
}
