import Glibc
import Machines
import PenstockCore
import ProcessSupport
import Testing

/// Journals with records on which a reducer traps or never comes back.
///
/// `penstock verify` and `export` start the application's process for the replay; it dies of such a record,
/// and they say of which.
@Suite(.serialized) struct TrappingReplayTests {
  private static let state: Bytes = {
    let tally = #"{"sum":0,"numbers":{},"answers":[],"pending":0,"ticks":0,"note":""}"#
    return Bytes(#"{"left":\#(tally),"right":\#(tally),"total":0}"#.utf8)
  }()

  private static let trap = [
    record(0, "/", "", .initial), client(1, #"{"add":5}"#), client(2, #""trap""#),
    client(3, #"{"flood":1}"#),
  ]

  private static func record(
    _ sequence: UInt64, _ path: String, _ payload: String, _ origin: Origin
  ) -> JournalEntry {
    .record(
      OrderRecord(
        sequence: sequence, path: Path(path)!,
        payload: sequence == 0 ? state : Bytes(payload.utf8), now: 1, seed: sequence,
        origin: origin, correlation: sequence))
  }

  private static func client(_ sequence: UInt64, _ payload: String) -> JournalEntry {
    record(sequence, "/left", payload, .client(session: 1, sequence: sequence))
  }

  private static func penstock(
    _ command: String, _ entries: [JournalEntry], _ options: String...
  ) throws -> ChildProcess {
    let journal = SampleJournal(entries)
    let process = try ChildProcess(
      "penstock",
      [command, "\(ChildProcess.productsDirectory)/pair", journal.path] + options)
    _ = process.exitCode(within: 60)
    return process
  }

  @Test(arguments: [VoidReason.poison, .unavailable])
  func `what the journal marks later is passed over (J-3)`(reason: VoidReason) throws {
    let entries =
      Self.trap + [.mark(sequence: 2, reason: reason), Self.client(4, #"{"add":6}"#)]
    let verify = try Self.penstock("verify", entries)
    #expect(verify.exitCode() == 0, "\(verify.errors)")
    #expect(verify.output.contains("records 1 to 4 can be reduced"), "\(verify.output)")
    let export = try Self.penstock("export", entries, "-o", "swift-test")
    #expect(export.exitCode() == 0, "\(export.errors)")
    #expect(export.output.contains("// Record 2 was set aside: \(reason.word)."))
    #expect(export.output.contains("await store.send(.left(.add(6)))"), "\(export.output)")
  }

  @Test func `one of which the journal does not say yet what became is named (J-15)`() throws {
    let verify = try Self.penstock("verify", Self.trap)
    #expect(verify.exitCode() == 6, "\(verify.output)")
    #expect(
      verify.errors.hasPrefix(
        "penstock verify: the reducer trapped on record 2 (/left trap) [PS-V04]\n"),
      "\(verify.errors)")
    #expect(verify.errors.contains("Fatal error: asked for"), "\(verify.errors)")
    #expect(verify.errors.hasSuffix("or --through 1\n"), "\(verify.errors)")
    let before = try Self.penstock("verify", Self.trap, "--through", "1")
    #expect(before.exitCode() == 0, "\(before.errors)")
    #expect(before.output.contains("record 1 can be reduced"), "\(before.output)")
    let export = try Self.penstock("export", Self.trap, "-o", "swift-test")
    #expect(export.exitCode() == 6, "\(export.output)")
    #expect(
      export.errors.hasPrefix(
        "penstock export: the reducer trapped on record 2 (/left trap) [PS-V04]\n"))
  }

  @Test func `one that was reduced when the journal was written is a difference (J-15)`() throws {
    let entries =
      Self.trap + [Self.record(4, "/left", #"{"bump":1}"#, .send(cause: 3, index: 0))]
    let verify = try Self.penstock("verify", entries)
    #expect(verify.exitCode() == 1, "\(verify.output)")
    #expect(
      verify.errors.hasPrefix(
        "penstock verify: the reducer trapped on record 2 (/left trap) [PS-V03]\n"),
      "\(verify.errors)")
    let export = try Self.penstock("export", entries, "-o", "swift-test")
    #expect(export.exitCode() == 6, "\(export.output)")
    #expect(export.errors.contains("[PS-V03]"), "\(export.errors)")
  }

  @Test func `one that a running system marks meanwhile is passed over`() throws {
    let journal = SampleJournal(Self.trap)
    let marked = SampleJournal(Self.trap + [.mark(sequence: 2, reason: .poison)])
    // The application, and before its end is known the journal has gone on.
    let application = try Script(
      """
      #!/bin/sh
      [ "$1" = verify ] || exec '\(ChildProcess.productsDirectory)/pair' "$@"
      '\(ChildProcess.productsDirectory)/pair' "$@"
      code=$?
      [ -e '\(marked.path)' ] || exit $code
      rm -f '\(journal.path)'*
      mv '\(marked.path)' '\(journal.path)'
      kill -ILL $$

      """)
    let verify = try ChildProcess("penstock", ["verify", application.path, journal.path])
    #expect(verify.exitCode(within: 60) == 0, "\(verify.errors)")
    #expect(verify.output.contains("records 1 to 3 can be reduced"), "\(verify.output)")
    #expect(access(marked.path, F_OK) != 0)
  }

  @Test func `one from which the reducer does not come back is named after a time`() throws {
    let entries = [Self.trap[0], Self.trap[1], Self.client(2, #""spin""#)]
    let verify = try Self.penstock("verify", entries, "--timeout", "1s")
    #expect(verify.exitCode() == 5, "\(verify.output)")
    #expect(
      verify.errors.hasPrefix(
        "penstock verify: the reducer did not come back from record 2 (/left spin) in 1.0s [PS-V05]\n"
      ), "\(verify.errors)")
  }
  @Test func `what follows from a record, and is none itself, is named by it`() throws {
    // The order does not have the bump that the flood sends, and with it the sum overflows.
    let sum = #"{"add":\#(Int.max - 1)}"#
    let entries = [Self.trap[0], Self.client(1, sum), Self.client(2, #"{"flood":1}"#)]
    let export = try Self.penstock("export", entries, "-o", "swift-test")
    #expect(export.exitCode() == 6, "\(export.output)")
    #expect(
      export.errors.hasPrefix(
        "penstock export: the reducer trapped on what followed from record 2 (/left flood) [PS-V04]\n"
      ), "\(export.errors)")
  }

  /// An application that says that it reduces record 2, and ends so.
  private static func ending(_ command: String) throws -> Script {
    try Script(
      """
      #!/bin/sh
      [ "$1" = verify ] || exec '\(ChildProcess.productsDirectory)/pair' "$@"
      printf '\\006' | dd of="$5" conv=notrunc 2>/dev/null
      \(command)

      """)
  }

  @Test(arguments: [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV])
  func `a signal that a reducer draws on itself names the record`(signal: Int32) throws {
    let journal = SampleJournal(Self.trap)
    for command in ["kill -\(signal) $$", "exit \(128 + signal)"] {
      let application = try Self.ending(command)
      let verify = try ChildProcess("penstock", ["verify", application.path, journal.path])
      #expect(verify.exitCode(within: 60) == 6, "\(verify.output)")
      #expect(verify.errors.contains(" on record 2 (/left trap) [PS-V04]\n"), "\(verify.errors)")
    }
  }

  @Test(arguments: [
    ("kill -KILL $$", "was ended by signal 9"), ("kill -TERM $$", "was ended by signal 15"),
    ("exit 129", "was ended by signal 1"), ("exit 137", "was ended by signal 9"),
    ("exit 143", "was ended by signal 15"), ("exit 200", "ended with code 200"),
    ("exit 255", "ended with code 255"),
  ])
  func `a signal from outside says nothing of the record`(command: String, fate: String) throws {
    let journal = SampleJournal(Self.trap)
    let application = try Self.ending(command)
    let verify = try ChildProcess("penstock", ["verify", application.path, journal.path])
    #expect(verify.exitCode(within: 60) == 6, "\(verify.output)")
    #expect(
      verify.errors.hasPrefix("penstock verify: \(application.path) verify \(fate) [PS-V02]\n"),
      "\(verify.errors)")
    #expect(!verify.errors.contains("record"), "\(verify.errors)")
    #expect(verify.errors.hasSuffix("  Try: again\n") == fate.contains("signal"))
  }
}
