import Penstock
import Simulation
import Testing

/// The same order gives the same states, sends, effects and mounts in every placement.
struct PlacementTests {
  @Test("Placements do as the oracle (R1, R8)", arguments: TestApplication.tree.placements)
  func placements(placement: [Path]) throws {
    for seed in 0..<3 {
      var run = try RandomRun(TreeApp(), .tree, seed: UInt64(seed), placement: placement)
      for _ in 0..<200 { try run.step() }
      #expect(run.unmounted > 0)
      #expect(run.voids > 0)
      let result = run.application.replay(run.order, statesAt: [100])
      #expect(result.divergence == nil)
      #expect(result.finalState == run.lockStep.merged.encode())
      #expect(result.voids.count == run.voids)
      #expect(result.states[100] != nil)
    }
  }
}

/// Makes a random order by asking the oracle what may come next, and runs it in lock step.
struct RandomRun<App: PenstockApp> {
  let application: Application<App>
  let actions: TestApplication
  var random: SeededGenerator
  var oracle: OrderReplay<App>
  var lockStep: LockStep
  var order: [OrderRecord] = []
  var now: Int64 = 1_700_000_000_000_000
  var voids = 0
  var unmounted = 0
  /// Effects that ended, for late results.
  var dead: [EffectID] = []
  private var clientSequence: UInt64 = 0

  init(
    _ app: App, _ actions: TestApplication, seed: UInt64, placement: [Path]
  ) throws {
    application = Application(app)
    self.actions = actions
    random = SeededGenerator(seed: seed)
    let state = try PlacedNode(try application.node(at: .root, placement: []), statePath: [])
      .initial(RandomRun.record(0, .root, [], .initial, now))
    let initial = RandomRun.record(0, .root, state.state, .initial, now)
    order = [initial]
    oracle = try OrderReplay(application, initial: initial)
    oracle.checksPurity = true
    lockStep = try LockStep(application, placement: placement, initial: initial)
  }

  static func record(
    _ sequence: UInt64, _ path: Path, _ payload: Bytes, _ origin: Origin, _ now: Int64
  ) -> OrderRecord {
    OrderRecord(
      sequence: sequence, path: path, payload: payload, now: now, seed: sequence &* 77,
      origin: origin, correlation: sequence)
  }

  mutating func step() throws {
    now += Int64.random(in: 1_000...200_000, using: &random)
    let record = next()
    order.append(record)
    let applied = try oracle.apply(record)
    if applied.isVoid {
      voids += 1
      return
    }
    if applied.isUnmounted { unmounted += 1 }
    dead += applied.ended
    let sends = try lockStep.apply(record)
    func expect(_ holds: Bool, _ what: String) throws {
      if !holds { throw Mismatch(what: "\(what) at \(record.sequence) for \(record.path)") }
    }
    try expect(sends == applied.sends, "sends")
    try expect(lockStep.merged.encode() == JSONWriter.bytes(of: oracle.state), "state")
    try expect(lockStep.living == oracle.living.mapValues(\.start), "effects")
    try expect(lockStep.mounts.mapValues(\.generation) == oracle.mounts, "mounts")
  }

  private mutating func next() -> OrderRecord {
    let sequence = oracle.next
    let effects = oracle.living.keys.sorted()
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4 where !oracle.pending.isEmpty:
      let send = oracle.pending[0]
      return Self.record(
        sequence, send.send.path, send.send.payload,
        .send(cause: send.cause, index: send.index), now)
    case 4..<6 where !effects.isEmpty:
      let id = effects.randomElement(using: &random)!
      if let living = oracle.living[id] { return result(of: id, living, sequence) }
    case 6 where !dead.isEmpty:
      let id = dead.randomElement(using: &random)!
      return Self.record(sequence, id.path, [], .end(effect: id), now)
    default: break
    }
    clientSequence += 1
    let (path, payload) = actions.randomAction(using: &random)
    return Self.record(
      sequence, path, payload, .client(session: 1, sequence: clientSequence), now)
  }

  private func result(
    of id: EffectID, _ living: OrderReplay<App>.LivingEffect, _ sequence: UInt64
  ) -> OrderRecord {
    switch living.start.kind {
    case .timer(let interval, _, let payload):
      let due = (living.lastDue ?? living.startedAt) + interval
      return Self.record(
        sequence, living.start.path, payload, .timer(effect: id, due: due), max(now, due))
    case .operation(let name, let input, let output, _):
      let result = actions.result(of: name, input: input)
      let index = Int(living.nextIndex)
      var wrapped: Bytes?
      if index < result.outputs.count {
        wrapped = JSONScan.wrap(
          result.outputs[index], in: output.cases + (output.isOutcome ? ["success"] : []))
      } else if let failure = result.failure, output.isOutcome {
        wrapped = JSONScan.wrap(JSONWriter.bytes(of: failure), in: output.cases + ["failure"])
      }
      guard let wrapped else {
        return Self.record(sequence, living.start.path, [], .end(effect: id), now)
      }
      return Self.record(
        sequence, living.start.path, wrapped,
        .output(
          effect: id, index: living.nextIndex, isFinal: index + 1 >= result.outputs.count), now)
    }
  }
}
