import Machines
import PenstockCore
import Simulation
import Testing

@Suite struct SimulatedDiskTests {
  private func record(_ sequence: UInt64) -> JournalEntry {
    .record(
      OrderRecord(
        sequence: sequence, path: .root, payload: [], now: 1, seed: 0,
        origin: .client(session: 1, sequence: sequence), correlation: sequence))
  }

  @Test func `a batch is durable when its sync is done, and not before`() {
    var disk = SimulatedDisk()
    _ = disk.append([record(0)], ticket: 1, start: 0)
    let begun1 = disk.beginSync()
    #expect(begun1)
    _ = disk.append([record(1)], ticket: 2, start: 0)
    let begun2 = disk.beginSync()
    #expect(!begun2)
    #expect(disk.durable.isEmpty)
    let ticket3 = disk.finishSync()
    #expect(ticket3 == 1)
    #expect(disk.durable == [record(0)])
    #expect(disk.durableThrough == 0)
    let begun4 = disk.beginSync()
    #expect(begun4)
    let ticket5 = disk.finishSync()
    #expect(ticket5 == 2)
    #expect(disk.durableThrough == 1)
    let begun6 = disk.beginSync()
    #expect(!begun6)
  }

  @Test func `an older start appends nothing`() {
    var disk = SimulatedDisk()
    disk.open(start: 2)
    let isTaken = disk.append([record(0)], ticket: 1, start: 1)
    #expect(!isTaken)
    #expect(disk.unsynced == 0)
  }

  @Test func `a bit that flips is noticed`() {
    var disk = SimulatedDisk()
    disk.open(start: 1)
    for sequence in UInt64(0)..<9 {
      _ = disk.append(
        [record(sequence), .checkpoint(sequence: sequence, body: [1, 2])], ticket: sequence,
        start: 1)
    }
    disk.lose(keeping: 9)
    var generator = SeededGenerator(seed: 1)
    let isNoticed = (0..<200).allSatisfy { _ in disk.noticesDamage(using: &generator) }
    #expect(isNoticed)
  }

  @Test func `what was not synced is lost, but for a prefix`() {
    var disk = SimulatedDisk()
    for sequence in UInt64(0)..<4 {
      _ = disk.append([record(sequence)], ticket: sequence, start: 0)
    }
    #expect(disk.unsynced == 4)
    let begun7 = disk.beginSync()
    #expect(begun7)
    disk.lose(keeping: 2)
    #expect(disk.durable == [record(0), record(1)])
    #expect(disk.unsynced == 0)
    let ticket8 = disk.finishSync()
    #expect(ticket8 == nil)
  }

  @Test func `a start reads the last checkpoint and what it does not cover`() {
    var disk = SimulatedDisk()
    let entries: [JournalEntry] = [
      .start(number: 1, now: 1), record(0), record(1), record(2),
      .checkpoint(sequence: 0, body: [0]), .mark(sequence: 1, reason: .poison),
      .checkpoint(sequence: 1, body: [1]), .mark(sequence: 2, reason: .unavailable),
    ]
    _ = disk.append(entries, ticket: 1, start: 0)
    #expect(disk.load().isEmpty)
    let begun9 = disk.beginSync()
    #expect(begun9)
    let ticket10 = disk.finishSync()
    #expect(ticket10 == 1)
    #expect(
      disk.load() == [
        record(2), .checkpoint(sequence: 1, body: [1]), .mark(sequence: 2, reason: .unavailable),
      ])
    #expect(disk.order.map(\.mark) == [nil, .poison, .unavailable])
  }
}
