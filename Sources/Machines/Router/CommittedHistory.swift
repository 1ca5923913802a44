import PenstockCore

/// The latest committed records, for `trace`: bounded, the oldest leave.
struct CommittedHistory: Sendable {
  static var limit: Int { 20_000 }

  /// Of one record's diagnostics; what is longer or more is cut.
  static var keptDiagnostics: Int { 8 }
  static var keptDiagnosticBytes: Int { 1_024 }

  struct Entry: Sendable {
    var sequence: UInt64
    var correlation: UInt64
    var path: Path
    var type: String
    var now: Int64
    var origin: Origin
    var source: String
    var flag: String?
    var latency: Int64
    var started: [(id: EffectID, operation: String)]
    var diagnostics: [String]
  }

  private(set) var entries = Deque<Entry>()

  mutating func append(_ committed: Committed, source: String, latency: Int64) {
    let record = committed.record
    entries.append(
      Entry(
        sequence: record.sequence, correlation: record.correlation, path: record.path,
        type: record.type, now: record.now, origin: record.origin, source: source,
        flag: committed.flag,
        latency: latency,
        started: committed.started.map { ($0.id, $0.start.operationName) },
        diagnostics: committed.diagnostics.prefix(Self.keptDiagnostics).map {
          $0.utf8.count <= Self.keptDiagnosticBytes
            ? $0 : String(decoding: $0.utf8.prefix(Self.keptDiagnosticBytes), as: UTF8.self) + "…"
        }))
    if entries.count > Self.limit { _ = entries.removeFirst() }
  }

  func entry(of sequence: UInt64) -> Entry? {
    guard let first = entries.first, sequence >= first.sequence else { return nil }
    let index = sequence - first.sequence
    return index < entries.count ? entries[Int(index)] : nil
  }
}

extension OrderRecord {
  /// The name of the action's outermost case; empty when it has none.
  var type: String {
    JSONScan.caseName(of: payload).map { String(decoding: $0, as: UTF8.self) }
      ?? JSONScan.firstKey(of: payload)?.key ?? ""
  }
}

extension Committed {
  /// A word when the record did not simply apply.
  var flag: String? {
    if let mark = record.mark { return mark.word }
    if isVoid { return "stale" }
    return isUnmounted ? "unmounted" : nil
  }
}

extension EffectStart {
  var operationName: String {
    switch kind {
    case .operation(let name, _, _, _): name
    case .timer: "timer"
    }
  }
}
