package import PenstockCore
import Wire

/// What the router's shell sends to the tap: keeps the subscriptions, counts the records, and encodes
/// those that somebody wants.
package struct TapPublisher: Sendable {
  /// Topics are cut to this, so no longer subscription matches any.
  package static let maximumTopic = 64
  /// Actions' payloads above this are left out of their records.
  package static let maximumPayload = 64 << 10

  private var subscriptions: Set<Bytes> = []
  private var counters: [TapKind: UInt64] = [:]

  package init() {}

  /// Whether any record is wanted.
  package var isListening: Bool { subscriptions.contains { $0 != [UInt8(ascii: "+")] } }

  /// Whether actions are to carry the changes of the state.
  package var wantsPatches: Bool { subscriptions.contains([UInt8(ascii: "+")]) }

  /// Takes a frame that came from the XPUB socket: 1 or 0, then the topic's beginning.
  /// - Returns: false for what is no subscription.
  package mutating func receive(_ frame: Bytes) -> Bool {
    guard let first = frame.first, first <= 1 else { return false }
    let prefix = Bytes(frame.dropFirst())
    guard prefix.count <= TapPublisher.maximumTopic else { return true }
    if first == 1 { subscriptions.insert(prefix) } else { subscriptions.remove(prefix) }
    return true
  }

  /// Counts the record; gives the frame to publish when a subscription matches it.
  package mutating func frame(of record: TapRecord) -> Bytes? {
    let counter = counters[record.kind, default: 0] + 1
    counters[record.kind] = counter
    let topic = record.topic
    guard subscriptions.contains(where: { topic.starts(with: $0) }) else { return nil }
    var frame = topic
    frame.append(UInt8(ascii: "\n"))
    frame.append(contentsOf: record.json(counter: counter))
    return frame
  }
}
