import Machines
import PenstockCore
import Wire

/// A scheduler with a clock and short names for what tests say to it.
struct SchedulerBench {
  var scheduler: EffectScheduler
  var clock = ClockReading(monotonic: 1_000_000, wall: 5_000_000)

  init(start: UInt32 = 1) {
    scheduler = EffectScheduler(start: start)
    if start == 1 { scheduler.recovered(at: clock) }
  }

  static func id(_ sequence: UInt64) -> EffectID {
    EffectID(sequence: sequence, path: Path("/a")!, index: 0)
  }

  static func hello(
    _ name: String, slots: UInt32 = 1, queues: [String] = ["default"],
    operations: [String]? = nil, running: [RunningEffect] = []
  ) -> Hello {
    var hello = Hello(
      role: .worker, name: name, session: 1, queues: queues, slots: slots, running: running)
    if let operations {
      var writer = JSONWriter()
      ApplicationDescription(name: "a", levels: [], operations: operations).encode(to: &writer)
      hello.description = writer.bytes
    }
    return hello
  }

  mutating func pass(_ time: Int64) {
    clock.monotonic += time
    clock.wall += time
    scheduler.tick(at: clock)
  }

  mutating func join(_ peer: UInt32, _ hello: Hello) {
    scheduler.workerJoined(PeerID(peer), hello, at: clock)
  }

  mutating func start(
    _ sequence: UInt64, operation: String = "op", nextIndex: UInt32 = 0,
    onTheWay: OutputsOnTheWay? = nil, _ change: (inout EffectPolicy) -> Void = { _ in }
  ) {
    var policy = EffectPolicy()
    change(&policy)
    let start = EffectStart(
      path: Path("/a")!,
      kind: .operation(
        name: operation, input: [], output: OutputCase(cases: ["done"], isOutcome: true),
        policy: policy))
    scheduler.start(
      Self.id(sequence), start, nextIndex: nextIndex, onTheWay: onTheWay, cursor: [], at: clock)
  }

  mutating func say(_ peer: UInt32, _ message: Message) {
    scheduler.received(PeerID(peer), message, at: clock)
  }

  mutating func end(
    _ peer: UInt32, _ sequence: UInt64, _ attempt: Attempt, _ result: EffectResult
  ) {
    say(
      peer,
      .effectEnded(effect: Self.id(sequence), attempt: attempt, index: 0, result: result))
  }

  mutating func output(
    _ peer: UInt32, _ sequence: UInt64, _ attempt: Attempt, index: UInt32 = 0,
    isFinal: Bool = true
  ) {
    say(
      peer,
      .output(
        WorkerOutput(
          effect: Self.id(sequence), attempt: attempt, index: index, isFinal: isFinal,
          value: [49])))
  }

  /// What came out, in short words.
  mutating func drain() -> [String] {
    scheduler.drainOutputs().map { output in
      switch output {
      case .send(let peer, .assign(let assignment)):
        "assign \(assignment.effect.sequence) to \(peer.value) as "
          + "\(assignment.attempt.start).\(assignment.attempt.number)"
          + (assignment.nextIndex > 0 ? " from \(assignment.nextIndex)" : "")
      case .send(let peer, .cancelEffect(let id, _)): "cancel \(id.sequence) at \(peer.value)"
      case .send(let peer, .attemptRefused(let id, let attempt)):
        "refuse \(id.sequence) \(attempt.start).\(attempt.number) at \(peer.value)"
      case .send(let peer, .outputAccepted(let id, _, let index)):
        "accept \(id.sequence)#\(index == .max ? "end" : "\(index)") at \(peer.value)"
      case .send(let peer, let message): "send \(message) to \(peer.value)"
      case .produced(.output(let id, let index, let isFinal, _)):
        "output \(id.sequence)#\(index)\(isFinal ? " final" : "")"
      case .produced(.failed(let id, _, let code, let message)):
        "failed \(id.sequence) \(code): \(message)"
      case .produced(.finished(let id)): "finished \(id.sequence)"
      case .tap(let note): "tap \(note.effect.sequence) \(note.state.rawValue)"
      }
    }
  }
}
