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
    let verbosity = invocation.count("verbose")
    let text =
      invocation.isJSON
      ? nil : TapText(verbosity: verbosity, usesColor: output.usesColor)
    var session = TapSession(filter: filter, text: text, limit: try invocation.number("count"))
    let duration = try invocation.duration("for")
    // Asked for first, so that a tap on nothing says so.
    let system = try connection.request("ps")
    let socket = try Socket(.subscriber, context: context)
    try socket.connect(try Endpoint(path: connection.directory.tapSocket))
    for kind in filter.kinds { try socket.subscribe([kind.letter]) }
    if verbosity >= 2 { try socket.subscribe([UInt8(ascii: "+")]) }
    output.remark(
      "tap: \(system["application"].text ?? "no application yet") · "
        + "start \(system["start"].compact) · at \(system["committed"].compact) · Ctrl-C stops\n")
    if text != nil, !output.isQuiet { try output.write(TapText.header) }
    let start = SystemClock.monotonic
    let end = duration.map { start + $0.microseconds } ?? .max
    let isInterrupted = try follow(socket, &session, until: end, supervision)
    output.remark(session.summary(microseconds: SystemClock.monotonic - start))
    return isInterrupted || session.isSuccess ? 0 : CommandFailure.Status.negative.rawValue
  }

  /// - Returns: whether the user ended it.
  private func follow(
    _ socket: borrowing Socket, _ session: inout TapSession, until end: Int64,
    _ supervision: Supervision
  ) throws -> Bool {
    var poller = Poller()
    _ = poller.add(socket)
    let signals = poller.add(fileDescriptor: supervision.signalDescriptor)
    var malformed = 0
    while !session.isComplete {
      let now = SystemClock.monotonic
      if now >= end { return false }
      try poller.wait(milliseconds: end == .max ? nil : Int((end - now) / 1000 + 1))
      if poller.isReady(signals), supervision.takeSignal() != nil { return true }
      var frame: Bytes = []
      // Not until nothing is left: more may come all the time, and the end is asked for by a signal.
      for _ in 0..<Self.burst where !session.isComplete {
        guard try socket.receive(malformed: &malformed, into: &frame, { $0 = Bytes($1) }) else {
          break
        }
        try output.write(session.receive(frame))
      }
    }
    return false
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
