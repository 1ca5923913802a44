import Foundation
import Testing

/// The samples of the articles that show what the examples do, as they stand there.
struct ExampleArticleTests {
  @Test(arguments: [("Composition.md", 6), ("EffectsAndOperations.md", 4)])
  func `every sample stands in an example`(name: String, count: Int) throws {
    let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Examples")
    let files = try #require(
      FileManager.default.enumerator(at: examples, includingPropertiesForKeys: nil))
    var sources: [String] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      sources.append(try Article.source(file.path))
    }
    let article = try Article(name)
    #expect(article.samples.count == count)
    for sample in article.samples {
      #expect(sources.contains { $0.contains(sample) }, "No example has this sample:\n\(sample)")
    }
  }
}
