import FoundationEssentials

/// A value whose fields say less than its text.
protocol DumpedAsText {
  var dumpedText: String { get }
}

extension Date: DumpedAsText {
  var dumpedText: String {
    "Date(\(formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))))"
  }
}

extension UUID: DumpedAsText {
  var dumpedText: String { "UUID(\(uuidString))" }
}

extension URL: DumpedAsText {
  var dumpedText: String { "URL(\(absoluteString))" }
}

extension Data: DumpedAsText {
  var dumpedText: String { "Data(\(count) bytes)" }
}

extension Duration: DumpedAsText {
  var dumpedText: String { description }
}
