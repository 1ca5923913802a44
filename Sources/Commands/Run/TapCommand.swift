import Glibc
import Machines
import PenstockCore
import Platform
import ZeroMQ

/// `penstock tap`: a subscriber that never holds anything up.
struct TapCommand {
  /// Records that are taken before it looks whether it is to end.
  private static let burst = 256

  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run(
    _ connection: RouterConnection, _ supervision: Supervision, _ context: Context
  ) throws -> Int32 {
    let filter = try TapFilter(invocation.words)
    let recording = try invocation.value("write").map { try openRecording($0) }
    let verbosity = recording == nil ? invocation.count("verbose") : 2
    let text =
      invocation.isJSON || recording != nil
      ? nil : TapText(verbosity: verbosity, usesColor: output.usesColor)
    var session = TapSession(filter: filter, text: text, limit: try invocation.number("count"))
    let duration = try invocation.duration("for")
    // Asked for first, so that a tap on nothing says so.
    let system = try connection.request("ps")
    try check(filter, system, connection)
    let socket = try Socket(.subscriber, context: context)
    try socket.connect(try Endpoint(path: connection.directory.tapSocket))
    for kind in filter.kinds { try socket.subscribe([kind.letter]) }
    if verbosity >= 2 { try socket.subscribe([UInt8(ascii: "+")]) }
    output.remark(
      "tap: \(system["application"].text ?? "no application yet") · "
        + "start \(system["start"].compact) · at \(system["committed"].compact) · Ctrl-C stops\n")
    if text != nil, !output.isQuiet { try output.write(TapText.header) }
    if let recording {
      try Output.write(header(connection, application: system["application"]), to: recording)
    }
    let start = SystemClock.monotonic
    let end = duration.map { start + $0.microseconds } ?? .max
    var presence = RouterPresence(connection.directory, output)
    let isInterrupted = try follow(
      socket, &session, until: end, supervision, recording ?? 1, &presence)
    output.remark(session.summary(microseconds: SystemClock.monotonic - start))
    return isInterrupted || session.isSuccess ? 0 : CommandFailure.Status.negative.rawValue
  }

  /// A path that the application has no scope at is a mistake, and no record ever matches it. Before
  /// the first feature has come nobody knows the scopes.
  private func check(
    _ filter: TapFilter, _ system: JSONValue, _ connection: RouterConnection
  ) throws(CommandFailure) {
    guard !filter.paths.isEmpty, let name = system["application"].text else { return }
    let scopes: ScopeCheck
    do {
      scopes = ScopeCheck(try connection.request("describe"))
    } catch  where error.status == .noSuchName {
      return
    }
    let unknown = scopes.unknown(of: filter.paths)
    guard let first = unknown.first else { return }
    let failure = CommandFailure(
      .noSuchName, "PS-F03", "\(name) has no scope at \(unknown.joined(separator: ", "))",
      scopes.details(of: first))
    if unknown.count == filter.paths.count { throw failure }
    output.remark(failure.text(command: "tap"))
  }

  /// Opens the file of a recording, which has every record.
  private func openRecording(_ path: String) throws(CommandFailure) -> Int32 {
    guard invocation.words.isEmpty else {
      throw CommandFailure(
        .usage, "PS-T02", "a recording has all records, and a filter was named",
        "Leave out the filter, or pass over records when reading: jq 'select(.path == \"/\")' FILE")
    }
    if path == "-" { return 1 }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandFailure(
        .refused, "PS-T03", "can't write \(path): \(String(cString: strerror(errno)))")
    }
    return file
  }

  /// The first line of a recording: the state from which its records go on. It is asked for when the tap
  /// is there, so that no record is missing between them.
  private func header(
    _ connection: RouterConnection, application: JSONValue
  ) throws -> String {
    _ = try connection.request("ready")
    let wanted = connection.subscribe(.root)
    while true {
      guard case .state(wanted, let asOf, let state?) = try connection.next() else { continue }
      let text = String(decoding: state, as: UTF8.self)
      return
        "{\"v\":1,\"k\":\"header\",\"application\":\(application.compact),\"seq\":\(asOf),"
        + "\"state\":\(text)}\n"
    }
  }

  /// - Returns: whether the user ended it.
  private func follow(
    _ socket: borrowing Socket, _ session: inout TapSession, until end: Int64,
    _ supervision: Supervision, _ file: Int32, _ presence: inout RouterPresence
  ) throws -> Bool {
    var poller = Poller()
    _ = poller.add(socket)
    let signals = poller.add(fileDescriptor: supervision.signalDescriptor)
    var malformed = 0
    while !session.isComplete {
      let now = SystemClock.monotonic
      if now >= end { return false }
      try poller.wait(
        milliseconds: min(Int((end - now) / 1000 + 1), RouterPresence.pollTime))
      presence.look()
      if poller.isReady(signals), supervision.takeSignal() != nil { return true }
      var frame: Bytes = []
      // Not until nothing is left: more may come all the time, and the end is asked for by a signal.
      for _ in 0..<Self.burst where !session.isComplete {
        guard try socket.receive(malformed: &malformed, into: &frame, { $0 = Bytes($1) }) else {
          break
        }
        try Output.write(session.receive(frame), to: file)
      }
    }
    return false
  }
}
