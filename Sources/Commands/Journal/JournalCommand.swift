import Machines
import PenstockCore
import SQLiteJournal

/// `penstock journal`: what is done with a journal's file besides running a router on it.
struct JournalCommand {
  private enum Verb: String, CaseIterable {
    case verify, stat, export, `import`, compact, backup
  }

  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run() throws -> Int32 {
    guard let verb = Verb(rawValue: invocation.words[0]) else {
      throw CommandFailure(
        .usage, "PS-A17", "\"\(invocation.words[0])\" is nothing to do with a journal",
        "It takes \(Verb.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard invocation.words.count == (verb == .backup ? 3 : 2) else {
      throw CommandFailure(
        .usage, "PS-A19", "\(verb) needs \(verb == .backup ? "FILE and TO" : "FILE only")",
        "Usage: \(HelpText.usage(of: invocation.command))")
    }
    do {
      try run(verb, file: invocation.words[1])
      return 0
    } catch let error as JournalError {
      throw CommandFailure(error)
    }
  }

  private func run(_ verb: Verb, file: String) throws {
    switch verb {
    case .verify: try report(SQLiteJournal.verify(path: file), of: file)
    case .stat:
      let statistics = try JournalStatistics(path: file)
      try output.write(
        invocation.isJSON ? JournalText.json(statistics) : JournalText.text(statistics))
    case .export: try export(file)
    case .import:
      var lines = try LineReader("-")
      try report(SQLiteJournal.makeFile(path: file) { try lines.next() }, of: file)
    case .compact: try compact(file)
    case .backup:
      let target = invocation.words[2]
      try report(SQLiteJournal.backUp(path: file, to: target), of: target)
    }
  }

  private func report(_ audit: JournalAudit, of file: String) throws {
    try output.write(
      invocation.isJSON
        ? JournalText.json(audit, of: file) : JournalText.text(audit, of: file))
  }

  private func compact(_ file: String) throws {
    let text = invocation.value("retain") ?? "all"
    guard let retention = Retention(text: text) else {
      throw CommandFailure(
        .usage, "PS-A18", "--retain needs limits, not \"\(text)\"",
        "Such as 7d, 8GB, 100000 (records), 7d,8GB or all")
    }
    let before = try JournalStatistics(path: file)
    let audit = try SQLiteJournal.compact(path: file, retention: retention)
    let after = try JournalStatistics(path: file)
    try report(audit, of: file)
    output.remark(
      "\(Quantity.bytes(before.fileBytes)) before, \(Quantity.bytes(after.fileBytes)) now\n")
  }

  /// Several lines are written at once: a call for each would take longer than all the rest.
  private func export(_ file: String) throws {
    var buffer: Bytes = []
    try SQLiteJournal.export(path: file) { line in
      buffer += line
      buffer.append(UInt8(ascii: "\n"))
      guard buffer.count >= 1 << 16 else { return }
      try output.write(String(decoding: buffer, as: UTF8.self))
      buffer.removeAll(keepingCapacity: true)
    }
    try output.write(String(decoding: buffer, as: UTF8.self))
  }
}

extension CommandFailure {
  /// The journal's own word is the code: the router's log has the same.
  init(_ error: JournalError) {
    let status: Status =
      switch error.code {
      case .damaged: .negative
      case .missing: .noSuchName
      case .newer, .otherApplication: .mismatch
      case .failed, .taken, .fenced, .full, .notWritten, .exists: .refused
      }
    self.init(status, error.code.word, error.message)
  }
}
