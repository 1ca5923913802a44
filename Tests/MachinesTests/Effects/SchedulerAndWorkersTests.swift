import Machines
import PenstockCore
import Simulation
import Testing
import Wire
import WireTestSupport

/// The scheduler with real worker hosts, a journal that is durable a little later, and workers and
/// routers that die: every effect that is not cancelled gives its outputs once, in order, and ends.
@Suite struct SchedulerAndWorkersTests {
  struct Model {
    static let effectCount: UInt64 = 12
    static let outputCount: UInt32 = 4

    var random: SeededGenerator
    var bench = SchedulerBench()
    var start: UInt32 = 1
    var hosts: [UInt32: WorkerHost] = [:]
    var running: [UInt32: [Assignment]] = [:]
    var lastPeer: UInt32 = 0
    /// Per effect: outputs in the order, durable ones, and whether its end is there.
    var numbered: [UInt64: UInt32] = [:]
    var durable: [UInt64: UInt32] = [:]
    var ended: Set<UInt64> = []
    var endedDurably: Set<UInt64> = []
    var cancelled: Set<UInt64> = []
    var pending: [(id: UInt64, index: UInt32?)] = []
    var problems: [String] = []
    var adoptions = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func beginWorker() {
      lastPeer += 1
      let hello = SchedulerBench.hello("w\(lastPeer)", slots: 2)
      hosts[lastPeer] = WorkerHost(hello: hello)
      running[lastPeer] = []
      link(lastPeer)
    }

    /// The worker says hello; the router welcomes it.
    mutating func link(_ peer: UInt32) {
      for case .send(.hello(let hello)) in hosts[peer]?.linkStarted() ?? [] {
        adoptions += hello.running.count
        perform(
          hosts[peer]?.received(
            .welcome(
              Welcome(application: "", start: start, nextClientSequence: 0, isDurable: true)))
            ?? [], peer, after: { $0.bench.join(peer, hello) })
      }
      drain()
    }

    mutating func perform(
      _ outputs: [WorkerHostOutput], _ peer: UInt32, after hello: (inout Model) -> Void = { _ in }
    ) {
      hello(&self)
      for output in outputs {
        switch output {
        case .send(let message): bench.say(peer, message)
        case .run(let assignment): running[peer]?.append(assignment)
        case .cancel(let id, let attempt):
          running[peer]?.removeAll { $0.effect == id && $0.attempt == attempt }
        }
      }
      drain()
    }

    mutating func drain() {
      for output in bench.scheduler.drainOutputs() {
        switch output {
        case .send(let peer, let message):
          guard hosts[peer.value] != nil else { continue }
          perform(hosts[peer.value]?.received(message) ?? [], peer.value)
        case .produced(.output(let id, let index, let isFinal, _)):
          if index != numbered[id.sequence, default: 0] {
            problems.append("output \(id)#\(index) after \(numbered[id.sequence, default: 0])")
          }
          if ended.contains(id.sequence) { problems.append("output of \(id) after its end") }
          numbered[id.sequence] = index + 1
          pending.append((id.sequence, index))
          if isFinal { ended.insert(id.sequence) }
        case .produced(.finished(let id)):
          if !ended.insert(id.sequence).inserted { problems.append("second end of \(id)") }
          pending.append((id.sequence, nil))
        case .produced(.failed(let id, _, let code, _)): problems.append("\(id) failed: \(code)")
        case .tap: break
        }
      }
    }

    /// The oldest record that is on its way becomes durable.
    mutating func sync() {
      guard !pending.isEmpty else { return }
      let (id, index) = pending.removeFirst()
      guard !cancelled.contains(id) else { return }
      bench.scheduler.accepted(
        SchedulerBench.id(id), index: index ?? .max, at: bench.clock)
      durable[id] = index.map { $0 + 1 } ?? durable[id]
      if index == nil || index == Self.outputCount - 1 {
        endedDurably.insert(id)
        bench.scheduler.cancel(SchedulerBench.id(id), at: bench.clock)
      }
      drain()
    }

    /// An operation gives its next output, or ends.
    mutating func work(_ peer: UInt32) {
      guard let count = running[peer]?.count, count > 0,
        let assignment = running[peer]?[random.below(count)]
      else { return }
      let id = assignment.effect
      let isLast = assignment.nextIndex + 1 >= Self.outputCount
      let endsEmpty = id.sequence % 3 == 0 && isLast
      var outputs: [WorkerHostOutput] = []
      if endsEmpty {
        outputs = hosts[peer]?.ended(id, assignment.attempt, .finished) ?? []
      } else {
        outputs = hosts[peer]?.produced(id, assignment.attempt, [49], isFinal: isLast) ?? []
      }
      running[peer]?.removeAll { $0.effect == id }
      if !isLast {
        var next = assignment
        next.nextIndex += 1
        running[peer]?.append(next)
      }
      perform(outputs, peer)
    }

    mutating func kill(_ peer: UInt32) {
      hosts[peer] = nil
      running[peer] = nil
      bench.scheduler.workerLost(PeerID(peer), at: bench.clock)
      drain()
    }

    /// What is not durable is gone; workers find the new router under new peer ids.
    mutating func restartRouter() {
      start += 1
      pending = []
      let clock = bench.clock
      bench = SchedulerBench(start: start)
      bench.clock = clock
      numbered = durable
      ended = endedDurably
      for id in 1...Self.effectCount where !endedDurably.contains(id) && !cancelled.contains(id) {
        bench.start(id, nextIndex: durable[id, default: 0])
      }
      bench.scheduler.recovered(at: bench.clock)
      let peers = hosts.keys.sorted()
      for old in peers {
        lastPeer += 1
        hosts[lastPeer] = hosts.removeValue(forKey: old)
        running[lastPeer] = running.removeValue(forKey: old)
        link(lastPeer)
      }
    }

    var isDone: Bool {
      (1...Self.effectCount).allSatisfy { endedDurably.contains($0) || cancelled.contains($0) }
    }
  }

  @Test("Whatever dies, each effect's outputs enter the order once and it ends (R14, W-1)")
  func chaos() {
    var adoptions = 0
    var restarts: UInt32 = 0
    for seed in 0..<80 as Range<UInt64> {
      var model = Model(seed: seed)
      for id in 1...Model.effectCount { model.bench.start(id) }
      model.beginWorker()
      for step in 0..<4_000 where !model.isDone {
        if model.hosts.count < 2 { model.beginWorker() }
        let peers = model.hosts.keys.sorted()
        let peer = peers[model.random.below(peers.count)]
        switch model.random.below(40) {
        case 0 where step < 300: model.kill(peer)
        case 1 where step < 300: model.restartRouter()
        case 2 where step < 300 && model.random.chance(10):
          let id = 1 + model.random.next() % Model.effectCount
          guard !model.ended.contains(id) else { continue }
          model.cancelled.insert(id)
          model.bench.scheduler.cancel(SchedulerBench.id(id), at: model.bench.clock)
          model.drain()
        case 3: model.perform(model.hosts[peer]?.drain() ?? [], peer)
        case 4 where model.hosts[peer]?.isDraining ?? false:
          model.perform(model.hosts[peer]?.handBack() ?? [], peer)
        case 5...20: model.work(peer)
        case 21...33: model.sync()
        default:
          model.bench.pass(100_000)
          model.drain()
        }
        if model.hosts[peer]?.isDraining ?? false, model.hosts[peer]?.isIdle ?? false {
          model.kill(peer)
        }
      }
      #expect(model.problems == [], "seed \(seed)")
      let isDone = model.isDone
      #expect(isDone, "seed \(seed)")
      let leftOver = model.hosts.values.reduce(0) { $0 + ($1.isIdle ? 0 : 1) }
      #expect(leftOver == 0, "seed \(seed): a worker keeps what is over")
      let effects = model.bench.scheduler.snapshot().effects
      #expect(effects.isEmpty, "seed \(seed)")
      adoptions += model.adoptions
      restarts += model.start - 1
    }
    #expect(adoptions > 25 && restarts > 25)
  }
}
