@testable import Machines
import PenstockCore
import Testing
import Wire

@Suite struct QuarantineTests {
  private static func record(
    _ sequence: UInt64, _ mark: VoidReason? = .poison, bytes: Int = 2
  ) -> OrderRecord {
    OrderRecord(
      sequence: sequence, path: Path("/left")!, payload: Bytes(repeating: 32, count: bytes),
      now: 5, seed: 6, origin: .client(session: 7, sequence: sequence), correlation: sequence,
      mark: mark)
  }

  private static func checkpoint(_ quarantine: Quarantine, at sequence: UInt64) -> Checkpoint {
    Checkpoint(
      schemaHash: 1, part: RouterPart(sequence: sequence, now: 2), state: Array("{}".utf8),
      sessions: [:], quarantine: quarantine)
  }

  @Test func `only what ended or flooded its feature is kept, and once`() {
    var quarantine = Quarantine()
    let marks: [VoidReason?] = [nil, .poison, .undecodable, .unavailable, .runaway, .tooLarge]
    for (index, mark) in marks.enumerated() {
      quarantine.add(Self.record(UInt64(index + 1), mark))
      quarantine.add(Self.record(UInt64(index + 1), mark))
    }
    #expect(quarantine.records.map(\.sequence) == [2, 5])
  }

  @Test func `the oldest leave when there are too many or they are too large`() {
    var quarantine = Quarantine()
    for sequence in 1...UInt64(Quarantine.limit + 3) { quarantine.add(Self.record(sequence)) }
    #expect(quarantine.records.count == Quarantine.limit)
    #expect(quarantine.records.first?.sequence == 4)
    quarantine = Quarantine()
    for sequence in 1...9 as ClosedRange<UInt64> {
      quarantine.add(Self.record(sequence, bytes: 1 << 20))
    }
    #expect(quarantine.records.map(\.sequence) == Array(2...9))
  }

  @Test func `a checkpoint brings along what was set aside up to its cut`() throws {
    var quarantine = Quarantine()
    for sequence in [3, 8, 9] as [UInt64] { quarantine.add(Self.record(sequence)) }
    let bytes = try Self.checkpoint(quarantine, at: 8).encode()
    let decoded = try Checkpoint(decoding: bytes)
    #expect(decoded.quarantine.records == [Self.record(3), Self.record(8)])
    #expect(try decoded.encode() == bytes)
  }

  @Test func `a checkpoint of version 1 has no quarantine`() throws {
    var bytes = try Self.checkpoint(Quarantine(), at: 8).encode()
    bytes[0] = 1
    bytes.removeLast(12)
    #expect(try Checkpoint(decoding: bytes).quarantine.records.isEmpty)
    bytes[0] = 5
    #expect(throws: WireError.self) { try Checkpoint(decoding: bytes) }
  }
}
