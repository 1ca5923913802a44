import Foundation

/// A Swift file of the package, with the target that it belongs to.
struct SourceFile {
  let target: String
  /// From the package's directory.
  let path: String
  let lines: [String]

  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// All Swift files below `Sources` or `Tests`. Below `Sources/Examples` each directory is a target.
  static func all(below top: String) throws -> [SourceFile] {
    let directory = package.appendingPathComponent(top)
    let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      var parts = name.split(separator: "/").map(String.init)
      if parts[0] == "Examples" { parts.removeFirst() }
      let text = try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
      return SourceFile(
        target: parts[0], path: "\(top)/\(name)", lines: text.components(separatedBy: "\n"))
    }
  }

  /// The modules that the file imports. What a literal of several lines says is no import.
  var imports: [String] {
    var isLiteral = false
    return lines.compactMap { line in
      if line.components(separatedBy: "\"\"\"").count.isMultiple(of: 2) { isLiteral.toggle() }
      if isLiteral { return nil }
      var words = line.split(separator: " ").map(String.init)
      while let first = words.first,
        first.hasPrefix("@") || ["package", "public", "internal", "private"].contains(first)
      {
        words.removeFirst()
      }
      guard words.first == "import", words.count > 1 else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let module = kinds.contains(words[1]) ? words[2] : words[1]
      return module.split(separator: ".").first.map(String.init)
    }
  }

  /// Lines without comments, numbered from 1.
  var code: [(number: Int, text: String)] {
    lines.enumerated().compactMap { index, line in
      let text = line.drop { $0 == " " }
      return text.hasPrefix("//") ? nil : (index + 1, String(text))
    }
  }
}
