import Glibc
import Machines
import PenstockCore
import ProcessSupport
import Processes
import SQLiteJournal
import Testing

/// `APP verify`: whether a build still does what a journal says (J-13).
@Suite(.serialized) struct VerifyTests {
  /// A journal of a system that ran and was stopped, with checkpoints at 0, 9 and its head.
  private func journal() async throws -> RunningSystem {
    let system = try RunningSystem()
    let client = try system.client()
    try await withDeadline {
      for number in 1..<10 { _ = try await client.add(number, to: "/left") }
      _ = try await client.request("checkpoint")
      for number in 10..<30 { _ = try await client.add(number, to: "/right") }
      _ = try await client.submit(
        Path("/left")!, Array("{\"ask\":{\"_0\":5,\"milliseconds\":60000}}".utf8))
    }
    client.close()
    system.router?.signal(SIGTERM)
    #expect(system.router?.exitCode() == 0, "\(system.logs)")
    return system
  }

  private func verify(_ application: String, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(application, ["verify", "--journal"] + arguments)
  }

  @Test func `the build that wrote a journal still does what it says, from any beginning`()
    async throws
  {
    let system = try await journal()
    let file = system.directory.file("journal.sqlite")
    let whole = try verify("pair", [file])
    #expect(whole.exitCode() == 0, "\(whole.output) \(whole.errors)")
    #expect(whole.output.contains("\"begins\":0,\"last\":30,\"records\":30,\"compared\":3,"))
    #expect(whole.output.contains("\"difference\":null"))
    let part = try verify("pair", [file, "--from", "9"])
    #expect(part.exitCode() == 0, "\(part.output) \(part.errors)")
    #expect(part.output.contains("\"begins\":9,\"last\":30,\"records\":21,"))
    // What was before is forgotten.
    _ = try SQLiteJournal.compact(path: file, retention: Retention(records: 15))
    let later = try verify("pair", [file])
    #expect(later.exitCode() == 0, "\(later.output) \(later.errors)")
    #expect(later.output.contains("\"begins\":9,"), "\(later.output)")
    let before = try verify("pair", [file, "--through", "3"])
    #expect(before.exitCode() == 6, "\(before.output)")
    #expect(before.errors.contains("up to record 3 the journal"), "\(before.errors)")
    _ = try SQLiteJournal.compact(path: file, retention: Retention(records: 0))
    let none = try verify("pair", [file])
    #expect(none.exitCode() == 0, "\(none.output) \(none.errors)")
    #expect(none.output.contains("\"begins\":30,\"last\":30,\"records\":0,"), "\(none.output)")
  }

  @Test func `another build's state differs, and its trace says from which record on`() async throws
  {
    let system = try await journal()
    let file = system.directory.file("journal.sqlite")
    let other = try OtherBuild()
    let report = try verify(other.path, [file])
    #expect(report.exitCode() == 1, "\(report.errors)")
    #expect(
      report.output.contains(
        "\"equal_through\":0,\"difference\":{\"sequence\":9,\"what\":\"state\""))
    #expect(report.output.contains("\"total\":45") && report.output.contains("\"total\":90"))
    let range = [file, "--from", "9", "--through", "30", "--trace"]
    let traces = [try verify("pair", range), try verify(other.path, range)].map { process in
      _ = process.exitCode()
      return process.output.split(separator: "\n").dropLast()
    }
    #expect(traces.map(\.count) == [21, 21])
    let first = zip(traces[0], traces[1]).first { $0 != $1 }
    #expect(first?.0.hasPrefix("10 ") == true)
    #expect(traces[0].last?.contains("started \"30/left#0") == true, "\(traces[0].last ?? "")")
  }

  @Test func `penstock verify finds the record from which on two builds differ (J-13)`()
    async throws
  {
    let system = try await journal()
    let file = system.directory.file("journal.sqlite")
    let (old, new) = ("\(ChildProcess.productsDirectory)/pair", try OtherBuild())
    let plain = try ChildProcess("penstock", ["verify", new.path, file])
    #expect(plain.exitCode() == 1, "\(plain.errors)")
    #expect(plain.output.contains("a record from 1 to 9 differs"), "\(plain.output)")
    let exact = try ChildProcess("penstock", ["verify", new.path, file, "--against", old])
    #expect(exact.exitCode() == 1, "\(exact.errors)")
    #expect(exact.output.contains("record 1 is the first that differs"), "\(exact.output)")
    #expect(exact.output.contains("/total: was 1, is 2"), "\(exact.output)")
    let same = try ChildProcess("penstock", ["verify", old, file, "--against", old])
    #expect(same.exitCode() == 0, "\(same.output) \(same.errors)")
  }

  @Test func `a record that could not have followed is named`() async throws {
    let system = try await journal()
    let file = system.directory.file("journal.sqlite")
    // A journal that somebody made: the chain fits, the order does not.
    let entries = try SQLiteJournal.entries(path: file, application: "pair").map { entry in
      guard case .record(var record) = entry, record.sequence == 12 else { return entry }
      record.origin = .send(cause: 3, index: 0)
      return JournalEntry.record(record)
    }
    let forged = SampleJournal(entries)
    let report = try verify("pair", [forged.path])
    #expect(report.exitCode() == 1, "\(report.errors)")
    #expect(report.output.contains("{\"sequence\":12,\"what\":\"order\""), "\(report.output)")
  }
}
