import Foundation

/// An article of the documentation and its samples, without indentation and comments.
struct Article {
  let samples: [String]

  init(_ name: String) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Penstock/Penstock.docc/\(name)")
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n")
    samples = parts.dropFirst().compactMap {
      $0.components(separatedBy: "```").first.map(Article.plain)
    }
  }

  static func source(_ path: String) throws -> String {
    plain(try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8))
  }

  private static func plain(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("//") }.joined(separator: "\n")
  }
}
