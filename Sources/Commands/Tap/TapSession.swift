import Machines
package import PenstockCore

/// A running tap without its socket: frames in, text out.
package struct TapSession: Sendable {
  package let filter: TapFilter
  private let text: TapText?
  private let limit: Int?
  private var gaps = TapGaps()
  private var received: Int64 = 0
  package private(set) var shown = 0

  /// - Parameters:
  ///   - text: how records look; nil for JSON lines.
  ///   - limit: stop after so many.
  package init(filter: TapFilter, text: TapText?, limit: Int?) {
    self.filter = filter
    self.text = text
    self.limit = limit
  }

  package var isComplete: Bool { limit.map { shown >= $0 } ?? false }

  /// - Parameter frame: topic, line feed, record. A path may have line feeds, a record has none (T-1).
  /// - Returns: what to print, nothing when the record does not match.
  package mutating func receive(_ frame: Bytes) -> String {
    guard !isComplete, let separator = frame.lastIndex(of: UInt8(ascii: "\n")) else { return "" }
    let bytes = Bytes(frame[(separator + 1)...])
    guard let record = try? JSONValue(bytes) else { return "" }
    received += 1
    var output = ""
    if let gap = gaps.receive(record) {
      output += text?.line(gap) ?? gap.compact + "\n"
    }
    guard filter.matches(record) else { return output }
    if record["k"].text != TapKind.gap.rawValue { shown += 1 }
    return output + (text?.line(record) ?? String(decoding: bytes, as: UTF8.self) + "\n")
  }

  /// `18214 received · 412 shown · 37 lost · 20.3s`
  package func summary(microseconds: Int64) -> String {
    "\(received) received · \(shown) shown · \(gaps.lost) lost · "
      + "\(Quantity.duration(microseconds: microseconds))\n"
  }

  /// Whether this was a match in the sense of grep.
  package var isSuccess: Bool { limit.map { shown >= $0 } ?? (shown > 0) }
}
