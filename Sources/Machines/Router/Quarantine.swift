package import PenstockCore
import Wire

/// Records that were set aside because their feature could not go on with them (R5): the latest ones,
/// whole, so that somebody may look at them and send them again. Part of each checkpoint.
package struct Quarantine: Hashable, Sendable {
  package static let limit = 1_000
  /// Payloads kept altogether; the oldest records leave first.
  package static let byteLimit = 8 << 20

  /// In their order; each with its mark.
  package private(set) var records: [OrderRecord] = []
  private var bytes = 0

  package init() {}

  static func holds(_ reason: VoidReason?) -> Bool { reason == .poison || reason == .runaway }

  /// Takes in what belongs here. A record that a checkpoint brought along is not taken twice.
  package mutating func add(_ record: OrderRecord) {
    guard Self.holds(record.mark), record.sequence > records.last?.sequence ?? 0 else { return }
    records.append(record)
    bytes += record.payload.count
    while records.count > Self.limit || (bytes > Self.byteLimit && records.count > 1) {
      bytes -= records.removeFirst().payload.count
    }
  }

  package func record(of sequence: UInt64) -> OrderRecord? {
    records.first { $0.sequence == sequence }
  }
}

extension RouterMachine {
  /// The answer to `quarantine`: all of them in short, or one with its payload.
  func describeQuarantine(_ body: Bytes) -> Result<Bytes, Refusal> {
    var records = quarantine.records
    var isWhole = false
    if let range = JSONScan.value(at: ["seq"], in: body) {
      guard let sequence = UInt64(String(decoding: body[range], as: UTF8.self)) else {
        return .failure(Refusal(code: .malformed, message: "quarantine takes {\"seq\": N}"))
      }
      guard let record = quarantine.record(of: sequence) else {
        return .failure(
          Refusal(code: .notFound, message: "\(sequence) is not in quarantine"))
      }
      records = [record]
      isWhole = true
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("now") { $0.integer(sequencer?.now ?? clock.wall) }
      writer.member("actions") { writer in
        writer.array { writer in
          for record in records { writer.element { describe(record, isWhole, &$0) } }
        }
      }
    }
    return .success(writer.bytes)
  }

  private func describe(_ record: OrderRecord, _ isWhole: Bool, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("seq") { $0.integer(record.sequence) }
      writer.member("path") { $0.string(record.path.description) }
      writer.member("type") { $0.string(record.type) }
      writer.member("t") { $0.integer(record.now) }
      writer.member("reason") { $0.text(record.mark?.word) }
      writer.member("origin") { $0.string(record.origin.word) }
      writer.member("cause") { $0.number(record.origin.cause) }
      writer.member("source") { $0.string(source(of: record.origin)) }
      writer.member("bytes") { $0.integer(record.payload.count) }
      if isWhole {
        writer.member("payload") { $0.string(String(decoding: record.payload, as: UTF8.self)) }
      }
    }
  }
}
