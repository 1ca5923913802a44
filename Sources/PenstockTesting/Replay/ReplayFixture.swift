package import PenstockCore

/// A recorded order: what `penstock journal export` or `penstock tap -w` wrote.
public struct ReplayFixture: Sendable {
  /// A text is none of these, or not all of one.
  public struct Unusable: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which line, counted from 1, and why.
    public var description: String
  }

  /// With what it begins.
  package enum Beginning: Hashable, Sendable {
    case initial(OrderRecord)
    /// The encoded state as of a record.
    case state(Bytes, asOf: UInt64)
  }

  package private(set) var beginning: Beginning
  /// The records that follow, in their order.
  package private(set) var records: [OrderRecord] = []
  /// How the state changed, where the recording says so.
  package private(set) var patches: [UInt64: Patch] = [:]

  /// Reads a recording: lines of JSON.
  /// - Throws: `Unusable`, also when it does not begin with a state or misses a record.
  public init(_ text: String) throws(Unusable) {
    var first: Beginning?
    var marks: [UInt64: VoidReason] = [:]
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      number += 1
      do {
        switch try RecordedLine(Bytes(line)) {
        case .action(let action):
          if let patch = action.patch { patches[action.record.sequence] = patch }
          records.append(action.record)
        case .state(let bytes, let sequence): first = .state(bytes, asOf: sequence)
        case .mark(let sequence, let reason): marks[sequence] = reason
        case .other: break
        }
      } catch {
        throw Unusable(description: "Line \(number) can't be used: \(error.message)")
      }
    }
    var last: UInt64 = 0
    if case .state(_, let sequence) = first {
      records.removeAll { $0.sequence <= sequence }
      last = sequence
    }
    if first == nil, let record = records.first, record.sequence == 0 {
      first = .initial(records.removeFirst())
    }
    guard let first else {
      let begin = records.first.map { "with record \($0.sequence)" } ?? "with nothing"
      throw Unusable(
        description: """
          It begins \(begin), and neither the first record nor a state is there. A journal that has \
          forgotten its beginning can't be replayed; let “penstock tap -w” record instead.
          """)
    }
    beginning = first
    for index in records.indices {
      records[index].mark = records[index].mark ?? marks[records[index].sequence]
    }
    for record in records {
      guard record.sequence == last + 1 else {
        throw Unusable(
          description: """
            Records \(last + 1) to \(record.sequence - 1) are missing: the tap was too slow.
            """)
      }
      last = record.sequence
    }
  }
}
