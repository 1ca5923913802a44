import Glibc
package import Machines
package import PenstockCore
package import Platform
internal import Processes
import Wire
package import ZeroMQ

/// A client of the router for one command: one thread, one socket, everything with a deadline.
package final class RouterConnection {
  package let directory: RunDirectory
  /// Events that nobody has taken yet.
  private var waiting = Deque<ClientOutput>()
  private var peer: PeerSocket
  private var poller: Poller
  private let signalIndex: Int
  private var client: ClientMachine
  private let supervision: Supervision

  /// Begins to connect; the first call of `next` finds out whether somebody answers.
  package init(
    _ directory: RunDirectory, supervision: Supervision, context: Context
  ) throws(CommandFailure) {
    self.directory = directory
    self.supervision = supervision
    var generator = SystemRandomNumberGenerator()
    do throws(TransportError) {
      peer = try PeerSocket(
        context: context, endpoint: try Endpoint(path: directory.routerSocket),
        seed: generator.next(), now: SystemClock.monotonic)
    } catch {
      throw CommandFailure(.usage, "PS-C06", error.message)
    }
    poller = Poller()
    _ = poller.add(peer.socket)
    signalIndex = poller.add(fileDescriptor: supervision.signalDescriptor)
    let process = UInt32(getpid())
    client = ClientMachine(
      hello: Hello(
        role: .client, name: "penstock-\(process)", session: generator.next(), processID: process))
    take(client.linkStarted())
  }

  package static let timedOutCode = "PS-C07"

  package var deadline: Int64 = .max
  /// Something else to wait for: `poll` returns nil when it can be read.
  package var input: Int32?

  /// Says when the router goes; for a command that waits for the next one.
  var presence: RouterPresence?

  /// Gives the command this time from now on.
  package func allow(_ duration: Duration) {
    deadline = SystemClock.monotonic + duration.microseconds
  }

  package var isWelcome: Bool { client.isConnected }

  // MARK: What the client does

  package func submit(_ path: Path, _ payload: Bytes) -> UInt64 {
    let (ticket, outputs) = client.submit(path, payload)
    take(outputs)
    return ticket
  }

  package func subscribe(_ path: Path) -> UInt32 {
    let (id, outputs) = client.subscribe(path)
    take(outputs)
    return id
  }

  /// Asks, and waits for the answer.
  package func request(
    _ verb: String, _ body: String = "{}"
  ) throws(CommandFailure) -> JSONValue {
    let (id, outputs) = client.request(verb, Bytes(body.utf8))
    take(outputs)
    while true {
      guard case .reply(id, let status, let body) = try next() else { continue }
      let answer: JSONValue
      do {
        answer = try JSONValue(body)
      } catch {
        throw CommandFailure(
          .mismatch, "PS-C08", "the router's answer to \(verb) is no JSON: \(error)")
      }
      guard status == 0 else { throw RouterConnection.failure(status, answer["message"].text) }
      return answer
    }
  }

  /// Says goodbye and gives it a moment to leave.
  package func close() {
    try? peer.socket.linger(milliseconds: 200)
    take([.send(.goodbye)])
    flush()
  }

  // MARK: Events

  /// The next event.
  /// - Throws: `CommandFailure` at the deadline, when the router refuses this client, or when the
  ///   user interrupts.
  package func next() throws(CommandFailure) -> ClientOutput {
    while true { if let event = try event() { return event } }
  }

  /// The next event, or nil when `input` can be read before it. Throws as `next` does.
  package func event() throws(CommandFailure) -> ClientOutput? {
    if let event = try poll(milliseconds: nil) { return event }
    if SystemClock.monotonic >= deadline {
      if !isWelcome { throw SystemLookup.silence(of: directory) }
      throw CommandFailure(
        .timedOut, Self.timedOutCode, "timed out", "Give it more time with --timeout DURATION")
    }
    return nil
  }

  /// The next event if one comes within the time (nil: up to the deadline) and before `input` can be
  /// read.
  package func poll(milliseconds: Int?) throws(CommandFailure) -> ClientOutput? {
    let end =
      milliseconds.map { min(deadline, SystemClock.monotonic + Int64($0) * 1000) } ?? deadline
    while waiting.isEmpty {
      flush()
      let now = SystemClock.monotonic
      guard now < end else { return nil }
      let wake = min(end, peer.nextDeadline(now: now) ?? .max)
      var poller = poller
      let inputIndex = input.map { poller.add(fileDescriptor: $0) }
      do throws(TransportError) {
        try poller.wait(milliseconds: Int(min(max(0, wake - now) / 1000 + 1, 1000)))
        try receive()
      } catch {
        throw CommandFailure(.bug, "PS-C09", error.message)
      }
      presence?.look()
      if poller.isReady(signalIndex), supervision.takeSignal() != nil { throw .interrupted }
      if let inputIndex, poller.isReady(inputIndex) { break }
    }
    guard let event = taken() else { return nil }
    if case .refused(let refusal) = event {
      throw RouterConnection.failure(refusal.code.rawValue, refusal.message)
    }
    return event
  }

  /// An event that came already.
  package func taken() -> ClientOutput? { waiting.isEmpty ? nil : waiting.removeFirst() }

  private func receive() throws(TransportError) {
    for event in try peer.receive(now: SystemClock.monotonic) {
      switch event {
      case .message(let message): take(client.received(message))
      case .restarted: take(client.linkStarted())
      case .refused(let refusal): waiting.append(.refused(refusal))
      }
    }
    flush()
  }

  private func take(_ outputs: [ClientOutput]) {
    for output in outputs {
      guard case .send(let message) = output else {
        waiting.append(output)
        continue
      }
      do throws(WireError) {
        try peer.enqueue(message)
      } catch {
        waiting.append(.refused(Refusal(code: error.code, message: error.message)))
      }
    }
  }

  private func flush() {
    // What does not leave now is sent again by the link.
    try? peer.flush(now: SystemClock.monotonic)
  }

  /// What the router's codes mean for a command.
  package static func failure(_ status: UInt16, _ message: String?) -> CommandFailure {
    let code = ErrorCode(rawValue: status)
    let kind: CommandFailure.Status =
      switch code {
      case .unknownPath, .notFound: .noSuchName
      case .malformed, .undecodable, .tooLarge: .usage
      case .unknownVersion, .unknownVerb, .schemaMismatch, .unknownRequest, .unsupported: .mismatch
      default: .refused
      }
    let word = code?.word ?? "code \(status)"
    let text = message.map { $0.isEmpty ? word : $0 } ?? word
    return CommandFailure(kind, "PS-R\(status)", "\(word): \(text)")
  }
}

extension CommandFailure {
  /// Ctrl-C: the command ends without a word.
  package static let interrupted = CommandFailure(.negative, "PS-INT", "interrupted")
}
