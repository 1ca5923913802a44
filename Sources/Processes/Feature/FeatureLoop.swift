import CSystem
import Machines
import PenstockCore
import Platform
package import Wire
import ZeroMQ

/// The feature's thread: the router's messages to the machine, and its answers back.
struct FeatureLoop: ~Copyable {
  private static let longestSilence: Int64 = 20_000
  /// Without a message for so long, memory that is not needed goes back to the system.
  private static let quietTime: Int64 = 1_000_000

  private var peer: PeerSocket
  private let program: any NodeProgram
  private var machine: any FeatureMachine
  private let hello: Hello
  private let progress: ProgressPage
  private let supervision: Supervision
  private let log: Log
  /// The router's socket where it is a file: when nobody serves it, a goodbye has no reader.
  private let routerSocket: String?
  private var end: ExitCode?
  /// What the machine wants done; kept for its memory.
  private var outputs: [FeatureOutput] = []
  /// When memory goes back; nil when it has since the last message. First at once: the program is
  /// composed then.
  private var releaseDue: Int64? = 0

  init(
    peer: consuming PeerSocket, program: any NodeProgram, hello: Hello,
    progress: consuming ProgressPage, supervision: Supervision, log: Log, routerSocket: String?
  ) {
    self.routerSocket = routerSocket
    self.peer = peer
    self.program = program
    machine = makeFeatureMachine(program)
    self.hello = hello
    self.progress = progress
    self.supervision = supervision
    self.log = log
  }

  mutating func run() throws -> ExitCode {
    var poller = Poller()
    let peerIndex = poller.add(peer.socket)
    let signalIndex = poller.add(fileDescriptor: supervision.signalDescriptor)
    try peer.enqueue(.hello(hello))
    while true {
      try peer.flush(now: SystemClock.monotonic)
      if let end { return end }
      let now = SystemClock.monotonic
      if let due = releaseDue, due <= now {
        releaseDue = nil
        penstock_release_memory()
      }
      try poller.wait(
        milliseconds: pollTime(until: peer.nextDeadline(now: now), releaseDue, now: now))
      if poller.isReady(signalIndex), let signal = supervision.takeSignal() {
        log.info("stopping", ["signal": "\(signal)"])
        try peer.enqueue(.goodbye)
        try peer.flush(now: SystemClock.monotonic)
        let isServed = routerSocket.map { penstock_socket_is_served($0) != 0 } ?? true
        try peer.socket.linger(milliseconds: isServed ? 500 : 0)
        return .done
      }
      guard poller.isReady(peerIndex) else { continue }
      var time = SystemClock.monotonic
      var lastFlush = time
      for event in try peer.receive(now: time) {
        try handle(event, now: time)
        if end != nil { break }
        // However long the burst is, answers go out, and the router hears that this node lives.
        time = SystemClock.monotonic
        if time - lastFlush > Self.longestSilence {
          try peer.flush(now: time)
          lastFlush = time
        }
      }
    }
  }

  private mutating func handle(_ event: LinkClient.Event, now: Int64) throws {
    switch event {
    case .restarted:
      // The router starts this node afresh: nothing of the old link counts.
      log.info("registering again")
      machine = makeFeatureMachine(program)
      try peer.enqueue(.hello(hello))
    case .refused(let refusal), .message(.refused(let refusal)):
      log.error(refusal.message, ["code": refusal.code.word])
      end = ExitCode(refusal)
    case .message(.welcome(let welcome)):
      log.info("registered", ["start": "\(welcome.start)"])
    case .message(let message):
      try handle(message, now: now)
    }
  }

  private mutating func handle(_ message: Message, now: Int64) throws {
    releaseDue = now + Self.quietTime
    if case .work(let work) = message { progress[0] = work.sequence }
    if case .migrateState = message { log.info("migrating the states of another schema") }
    outputs.removeAll(keepingCapacity: true)
    machine.handle(message, into: &outputs)
    for index in outputs.indices {
      switch outputs[index] {
      case .send(let answer):
        do {
          try peer.enqueue(answer)
        } catch {
          guard let replacement = machine.replacement(for: answer, error) else { throw error }
          log.warning(error.message, ["code": error.code.word])
          try peer.enqueue(replacement)
        }
        if case .ready = answer {
          supervision.announceReady()
          releaseDue = SystemClock.monotonic
        }
      case .stop(let reason):
        log.error(reason)
        end = .failed
      case .mismatch(let reason):
        log.error(reason, ["code": ErrorCode.schemaMismatch.word])
        // The router hears of it at once: the build that wrote the journal may be the next to come.
        try peer.enqueue(.goodbye)
        try peer.socket.linger(milliseconds: 500)
        end = .mismatch
      }
    }
    progress[0] = 0
  }
}

extension ExitCode {
  package init(_ refusal: Refusal) {
    switch refusal.code {
    case .schemaMismatch, .buildMismatch, .wrongApplication, .unknownVersion, .unknownVerb,
      .malformed:
      self = .mismatch
    default: self = .refused
    }
  }
}
