import CSystem
import Machines
import PenstockCore
import Platform
import Wire
import ZeroMQ

/// The thread of a client's connection.
struct ClientLoop: ~Copyable {
  typealias Ended = ClientConnection.Ended
  typealias Answered = @Sendable (Result<ClientConnection.Reply, Ended>) -> Void
  typealias Settled = @Sendable (Int, Result<ClientOutcome, Ended>) -> Void

  enum Command: Sendable {
    case submit([ClientConnection.Action], Settled)
    case subscribe(
      UInt64, Path, AsyncThrowingStream<ClientConnection.State, any Error>.Continuation)
    case unsubscribe(UInt64)
    case request(String, Bytes, Answered)
    case welcome(CheckedContinuation<Welcome, any Error>)
    case isWelcome(CheckedContinuation<Bool, Never>)
    case close

    func fail(_ ended: Ended) {
      switch self {
      case .submit(let actions, let settled):
        for index in actions.indices { settled(index, .failure(ended)) }
      case .subscribe(_, _, let continuation): continuation.finish(throwing: ended)
      case .request(_, _, let answered): answered(.failure(ended))
      case .welcome(let continuation): continuation.resume(throwing: ended)
      case .isWelcome(let continuation): continuation.resume(returning: false)
      case .unsubscribe, .close: break
      }
    }
  }

  private var peer: PeerSocket
  private var machine: ClientMachine
  private var waiting = AwaitedOutcomes()
  private var streams:
    [UInt32: (id: UInt64, AsyncThrowingStream<ClientConnection.State, any Error>.Continuation)] =
      [:]
  private var replies: [UInt32: Answered] = [:]
  private var welcomes: [CheckedContinuation<Welcome, any Error>] = []
  private var welcome: Welcome?
  private var end: Ended?
  /// What the machine wants done; kept for its memory.
  private var outputs: [ClientOutput] = []

  static func run(_ commands: Inbox<Command>, endpoint: Endpoint, hello: Hello) {
    var end = Ended(refusal: nil)
    do {
      var loop = ClientLoop(
        peer: try PeerSocket(
          context: Context(), endpoint: endpoint, seed: penstock_random(),
          now: SystemClock.monotonic),
        machine: ClientMachine(hello: hello))
      do {
        end = try loop.run(commands)
      } catch let error as WireError {
        end = Ended(refusal: Refusal(code: error.code, message: error.message))
      } catch {
        end = Ended(refusal: Refusal(code: .malformed, message: "\(error)"))
      }
      loop.fail(end)
    } catch {
      end = Ended(refusal: Refusal(code: .malformed, message: "\(error)"))
    }
    // Until the owner lets go, whatever it still wants fails.
    var isOpen = true
    while isOpen {
      for command in commands.take() {
        if case .close = command { isOpen = false }
        command.fail(end)
      }
      if end.refusal == nil { return }
      if isOpen {
        for command in commands.wait() {
          if case .close = command { isOpen = false }
          command.fail(end)
        }
      }
    }
  }

  private init(peer: consuming PeerSocket, machine: ClientMachine) {
    self.peer = peer
    self.machine = machine
  }

  private mutating func run(_ commands: Inbox<Command>) throws -> Ended {
    var poller = Poller()
    let peerIndex = poller.add(peer.socket)
    let commandsIndex = poller.add(fileDescriptor: commands.fileDescriptor)
    try perform(machine.linkStarted())
    while true {
      try peer.flush(now: SystemClock.monotonic)
      if let end { return end }
      let now = SystemClock.monotonic
      try poller.wait(milliseconds: pollTime(until: peer.nextDeadline(now: now), now: now))
      if poller.isReady(commandsIndex) {
        for command in commands.take() { try handle(command) }
      }
      if poller.isReady(peerIndex) {
        for event in try peer.receive(now: SystemClock.monotonic) where end == nil {
          switch event {
          case .restarted: try perform(machine.linkStarted())
          case .refused(let refusal): end = Ended(refusal: refusal)
          case .message(let message): machine.received(message, into: &outputs)
          }
          try performAll()
        }
      }
    }
  }

  private mutating func handle(_ command: Command) throws {
    switch command {
    case .submit(let actions, let settled):
      for (index, action) in actions.enumerated() {
        let ticket = machine.submit(
          action.path, action.payload, setting: action.field, into: &outputs)
        waiting.append(ticket, (index, settled))
      }
      try performAll()
    case .subscribe(let id, let path, let continuation):
      let (subscription, outputs) = machine.subscribe(path)
      streams[subscription] = (id, continuation)
      try perform(outputs)
    case .unsubscribe(let id):
      guard let subscription = streams.first(where: { $0.value.id == id })?.key else { return }
      streams[subscription] = nil
      try perform(machine.unsubscribe(subscription))
    case .request(let verb, let body, let answered):
      let (request, outputs) = machine.request(verb, body)
      replies[request] = answered
      try perform(outputs)
    case .welcome(let continuation):
      if let welcome {
        continuation.resume(returning: welcome)
      } else {
        welcomes.append(continuation)
      }
    case .isWelcome(let continuation): continuation.resume(returning: machine.isConnected)
    case .close:
      if end == nil {
        try peer.enqueue(.goodbye)
        try peer.socket.linger(milliseconds: 100)
        end = Ended(refusal: nil)
      }
    }
  }

  private mutating func performAll() throws {
    if outputs.isEmpty { return }
    var outputs: [ClientOutput] = []
    swap(&outputs, &self.outputs)
    try perform(outputs)
    outputs.removeAll(keepingCapacity: true)
    self.outputs = outputs
  }

  private mutating func perform(_ outputs: [ClientOutput]) throws {
    for output in outputs {
      switch output {
      case .send(let message): try peer.enqueue(message)
      case .settled(let ticket, let outcome):
        if let (index, settled) = waiting.remove(ticket) {
          settled(index, .success(outcome))
        }
      case .state(let subscription, let asOf, let value):
        streams[subscription]?.1.yield(ClientConnection.State(asOf: asOf, value: value))
      case .reply(let request, let status, let body):
        let answered = replies.removeValue(forKey: request)
        answered?(.success(ClientConnection.Reply(status: status, body: body)))
      case .welcomed(let welcome):
        self.welcome = welcome
        for continuation in welcomes { continuation.resume(returning: welcome) }
        welcomes = []
      case .refused(let refusal): end = Ended(refusal: refusal)
      }
    }
  }

  private mutating func fail(_ ended: Ended) {
    for (index, settled) in waiting.all { settled(index, .failure(ended)) }
    for (_, continuation) in streams.values { continuation.finish(throwing: ended) }
    for answered in replies.values { answered(.failure(ended)) }
    for continuation in welcomes { continuation.resume(throwing: ended) }
    (waiting, streams, replies, welcomes) = (AwaitedOutcomes(), [:], [:], [])
  }
}
