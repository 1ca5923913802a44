import Machines
import Penstock
import PenstockCore
import Platform
import Processes
import Wire
import ZeroMQ

/// The worker's thread.
struct WorkerLoop: ~Copyable {
  /// How long a worker that stops waits for the router to take what is done.
  private static let farewell: Int64 = 2_000_000

  private var peer: PeerSocket
  private var host: WorkerHost
  private let work: any AssignedWork
  private let grace: Int64
  private let supervision: Supervision
  private let log: Log
  /// Operations that wait for the acceptance of their outputs.
  private var pausing: [EffectID: [CheckedContinuation<Void, Never>]] = [:]
  /// When what still runs is handed back, and when nothing is waited for any more.
  private var handBackDue: Int64?
  private var leaveDue: Int64?
  private var end: ExitCode?

  init(
    peer: consuming PeerSocket, hello: Hello, work: any AssignedWork, grace: Int64,
    supervision: Supervision, log: Log
  ) {
    self.peer = peer
    host = WorkerHost(hello: hello)
    self.work = work
    self.grace = grace
    self.supervision = supervision
    self.log = log
  }

  mutating func run() throws -> ExitCode {
    var poller = Poller()
    let peerIndex = poller.add(peer.socket)
    let signalIndex = poller.add(fileDescriptor: supervision.signalDescriptor)
    let reportsIndex = poller.add(fileDescriptor: work.reports.fileDescriptor)
    try perform(host.linkStarted())
    while true {
      let now = SystemClock.monotonic
      try stopIfDue(now)
      try peer.flush(now: now)
      if let end { return end }
      try poller.wait(
        milliseconds: pollTime(
          until: peer.nextDeadline(now: now), handBackDue, leaveDue, now: now))
      if poller.isReady(signalIndex), let signal = supervision.takeSignal() {
        log.info("draining", ["signal": "\(signal)", "running": "\(host.running)"])
        try drain()
      }
      if poller.isReady(reportsIndex) {
        for report in work.reports.take() { try take(report) }
      }
      if poller.isReady(peerIndex) {
        for event in try peer.receive(now: SystemClock.monotonic) where end == nil {
          try handle(event)
        }
        resumeAccepted()
      }
    }
  }

  private mutating func handle(_ event: LinkClient.Event) throws {
    switch event {
    case .restarted:
      log.info("registering again")
      try perform(host.linkStarted())
    case .refused(let refusal), .message(.refused(let refusal)):
      log.error(refusal.message, ["code": refusal.code.word])
      end = ExitCode(refusal)
    case .message(let message):
      if case .welcome(let welcome) = message {
        log.info("registered", ["start": "\(welcome.start)"])
        supervision.announceReady()
      }
      try perform(host.received(message))
    }
  }

  private mutating func take(_ report: WorkReport) throws {
    switch report {
    case .produced(let effect, let attempt, let value, let isFinal, let continuation):
      if let continuation { pausing[effect, default: []].append(continuation) }
      try perform(host.produced(effect, attempt, value, isFinal: isFinal))
      resumeAccepted()
    case .heartbeat(let effect, let attempt, let cursor):
      try perform(host.heartbeat(effect, attempt, cursor: cursor))
    case .ended(let effect, let attempt, let result):
      try perform(host.ended(effect, attempt, result))
    }
  }

  private mutating func perform(_ outputs: [WorkerHostOutput]) throws {
    for output in outputs {
      switch output {
      case .send(let message): try peer.enqueue(message)
      case .run(let assignment): work.run(assignment)
      case .cancel(let effect, let attempt):
        work.cancel(effect, attempt)
        resume(effect)
      }
    }
  }

  private mutating func resumeAccepted() {
    for effect in pausing.keys where host.unaccepted(effect) == 0 { resume(effect) }
  }

  private mutating func resume(_ effect: EffectID) {
    for continuation in pausing.removeValue(forKey: effect) ?? [] { continuation.resume() }
  }

  private mutating func drain() throws {
    guard handBackDue == nil, leaveDue == nil else { return }
    handBackDue = SystemClock.monotonic + grace
    try perform(host.drain())
  }

  /// Leaves when everything is done, or the time is over.
  private mutating func stopIfDue(_ now: Int64) throws {
    guard handBackDue != nil || leaveDue != nil else { return }
    if let due = handBackDue, due <= now {
      log.warning("handing back what still runs", ["running": "\(host.running)"])
      handBackDue = nil
      leaveDue = now + Self.farewell
      try perform(host.handBack())
    }
    guard host.isIdle || leaveDue.map({ $0 <= now }) == true, end == nil else { return }
    try peer.enqueue(.goodbye)
    try peer.socket.linger(milliseconds: 500)
    end = .done
  }
}
