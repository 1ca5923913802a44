import CounterFeature
import Foundation
import Penstock
import PenstockProcessTesting
import PenstockTesting
import Testing

/// The samples of the article on testing in processes, as they stand there.
@Suite(.serialized) struct ArticleTests {
  nonisolated(nonsending) func asks(_ store: TestStoreOf<TwoCounters>) async {
    await store.send(.left(.increment)) { $0.left.count = 1 }
    await store.send(.left(.askFact)) { $0.left.isLoading = true }
    await store.receive(effect: NumberFact(number: 1), answer: .output("1 is odd"))
    await store.receive(\.left.fact.success, "1 is odd") {
      $0.left.isLoading = false
      $0.left.fact = "1 is odd"
    }
  }

  @Test func `one body, two stores`() async throws {
    await asks(TestStore(CounterApp()))
    await asks(try ProcessTestStore(CounterApp(), executable: "counter"))
  }

  /// It was written by `penstock tap -w` while `counter run` was sent two actions.
  @Test func `a recording as a fixture`() throws {
    let file = Self.package.appendingPathComponent("Tests/Recordings/counter.tap.jsonl")
    let recording = try String(contentsOf: file, encoding: .utf8)
    replay(CounterApp(), try ReplayFixture(recording))
  }

  @Test func `the article has no other samples`() throws {
    let article = Self.package.appendingPathComponent(
      "Sources/Penstock/Penstock.docc/TestingProcesses.md")
    let parts = try String(contentsOf: article, encoding: .utf8).components(
      separatedBy: "```swift\n")
    let samples = parts.dropFirst().compactMap { $0.components(separatedBy: "```").first }
    let source = Self.plain(try String(contentsOfFile: #filePath, encoding: .utf8))
    #expect(samples.count == 3)
    for sample in samples { #expect(source.contains(Self.plain(sample)), "\(sample)") }
  }

  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func plain(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
}
