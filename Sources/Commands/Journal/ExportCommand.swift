import Glibc
import PenstockCore
import Platform
import SQLiteJournal

/// `penstock export`: a stretch of an application's order as the source of a test.
struct ExportCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run() throws -> Int32 {
    guard let format = invocation.value("output") else {
      throw CommandFailure(.usage, "PS-E01", "no format is named", "Say -o swift-test")
    }
    let application = try Executable.find(invocation.words[0])
    let role = ApplicationRole(
      application, work: try WorkDirectory(), patience: try invocation.duration("timeout"))
    let name = try role.name()
    let journal =
      invocation.words.count > 1
      ? invocation.words[1] : StateDirectory.standard(application: name).journal
    try check(journal)
    var arguments = ["--format", format]
    for bound in ["from", "through"] {
      if let number = try invocation.number(bound) { arguments += ["--\(bound)", "\(number)"] }
    }
    let source = try role.replay(.export, of: journal, arguments)
    try output.write(String(decoding: source, as: UTF8.self))
    return 0
  }

  /// A stretch that the journal does not have is no test.
  private func check(_ journal: String) throws {
    let first = UInt64(try invocation.number("from") ?? 1)
    if let through = try invocation.number("through"), through < first {
      throw CommandFailure(
        .usage, "PS-E03", "--through \(through) stands before --from \(first)",
        "Name a record from \(first) on, or leave --through out")
    }
    let last: UInt64?
    do { last = try JournalStatistics(path: journal).lastRecord } catch {
      throw CommandFailure(error)
    }
    guard let last, first <= last else {
      let end = last.map { "its last record is \($0)" } ?? "it has no records"
      throw CommandFailure(
        .noSuchName, "PS-E02", "\(journal) has no record \(first): \(end)",
        last ?? 0 == 0
          ? "Record 0 is the first state; send actions first: penstock send"
          : "Name one up to \(last ?? 0) with --from")
    }
  }
}
