import Machines
import PenstockCore
import Wire

/// The invariants of the order, checked as the run goes and at its end.
extension Simulator {
  /// Nothing is told, started or published before it is durable.
  func check(sent message: Message) {
    switch message {
    case .outcome(let outcome):
      switch outcome.status {
      case .committed(let sequence, _), .void(let sequence, _):
        if sequence > disk.durableThrough {
          fail("\(sequence) was acknowledged before it was durable")
        }
      case .refused: break
      }
    case .assign(let assignment):
      if assignment.effect.sequence > disk.durableThrough {
        fail("effect \(assignment.effect) was started before its action was durable")
      }
    case .state(let state):
      if state.asOf > disk.durableThrough {
        fail("the state as of \(state.asOf) was published before it was durable")
      }
    default: break
    }
  }

  func saw(state: Bytes, asOf sequence: UInt64) {
    report.publications += 1
    if let old = published.updateValue(state, forKey: sequence), old != state {
      fail("two states were published as of \(sequence)")
    }
  }

  func saw(_ work: Work) {
    told[work.sequence] = (work.epoch.start, work.cause, work.correlation)
  }

  func saw(outcome: ClientOutcome, session: UInt64) {
    let action = ClientAction(session: session, sequence: outcome.clientSequence)
    switch outcome.status {
    case .committed(let sequence, _), .void(let sequence, _):
      if let old = acknowledged.updateValue(sequence, forKey: action), old != sequence {
        fail("action \(action) was acknowledged at \(old) and at \(sequence)")
      }
    case .refused: break
    }
  }

  /// The oracle replays the journal's order; the run has to be equal to it.
  func judge() {
    guard let machine = router?.machine, let sequencer = machine.sequencer else {
      return fail("there is no router at the end")
    }
    report.add(machine)
    let order = disk.order.filter { $0.sequence <= sequencer.committedThrough }
    report.records = order.count
    checkNumbers(order)
    checkAcknowledgements(order)
    let setAside = order.filter { $0.mark == .poison || $0.mark == .runaway }
    if machine.quarantine.records != setAside.suffix(Quarantine.limit) {
      fail(
        "the quarantine has \(machine.quarantine.records.map(\.sequence)), not "
          + "\(setAside.map(\.sequence))")
    }
    let result = program.replay(order, statesAt: Set(published.keys))
    if let divergence = result.divergence {
      return fail("the order is not a possible one: \(divergence)")
    }
    for (sequence, state) in published.sorted(by: { $0.key < $1.key }) {
      guard let expected = result.states[sequence] else {
        return fail("a state was published as of \(sequence), which is not in the order")
      }
      if expected != state {
        return fail(
          "the state published as of \(sequence) differs from the oracle's:\n  published "
            + String(decoding: state, as: UTF8.self) + "\n  oracle    "
            + String(decoding: expected, as: UTF8.self))
      }
    }
    let living = Set(sequencer.effects.living.keys)
    let expected = Set(result.livingEffects.keys)
    if living != expected {
      fail(
        "the living effects differ: router \(living.subtracting(expected).sorted()), "
          + "oracle \(expected.subtracting(living).sorted())")
    }
    let mounts = sequencer.mountedGenerations
    if mounts != result.mounts {
      fail("the mounts differ: router \(mounts), oracle \(result.mounts)")
    }
    if !result.unconsumedSends.isEmpty {
      fail("sends were lost: \(result.unconsumedSends.prefix(3))")
    }
  }

  private func checkNumbers(_ order: [OrderRecord]) {
    var outputs: Set<Output> = []
    var ticks: Set<Tick> = []
    for (index, record) in order.enumerated() {
      if record.sequence != UInt64(index) { fail("the order has a gap at \(index)") }
      checkTold(record)
      switch record.origin {
      case .output(let effect, let index, _):
        report.outputs += 1
        guard record.mark == nil else { continue }
        if !outputs.insert(Output(effect: effect, index: index)).inserted {
          fail("output \(index) of \(effect) is in the order twice")
        }
      case .send: report.sends += 1
      case .timer(let effect, let due):
        if record.now < due { fail("timer \(effect) fired early, at \(record.sequence)") }
        guard record.mark == nil else { continue }
        if !ticks.insert(Tick(timer: effect, due: due)).inserted {
          fail("the tick of \(effect) that was due at \(due) is in the order twice")
        }
      case .initial, .client, .end: break
      }
    }
  }

  /// Features hear from which record and from which client's action their work follows. What an
  /// earlier start told may have been lost, and its number given again.
  private func checkTold(_ record: OrderRecord) {
    guard let told = told[record.sequence], told.start == router?.machine.start else { return }
    if told.cause != record.origin.cause ?? 0 || told.correlation != record.correlation {
      fail(
        "a feature was told that \(record.sequence) follows from \(told.cause) and "
          + "\(told.correlation), not from \(record.origin) and \(record.correlation)")
    }
  }

  private struct Tick: Hashable {
    var timer: EffectID
    var due: Int64
  }

  private struct Output: Hashable {
    var effect: EffectID
    var index: UInt32
  }

  private func checkAcknowledgements(_ order: [OrderRecord]) {
    var numbered: Set<ClientAction> = []
    for record in order {
      guard case .client(let session, let sequence) = record.origin else { continue }
      let action = ClientAction(session: session, sequence: sequence)
      if !numbered.insert(action).inserted { fail("action \(action) is in the order twice") }
    }
    for (action, sequence) in acknowledged {
      guard sequence < UInt64(order.count),
        case .client(action.session, action.sequence) = order[Int(sequence)].origin
      else { return fail("acknowledged action \(action) is not at \(sequence) of the order") }
    }
  }

  /// Everything that was sent is settled, and everybody is back.
  var isAtRest: Bool { unrest.isEmpty }

  var unrest: String {
    guard actionsLeft == 0 else { return "\(actionsLeft) actions are unsent" }
    guard let machine = router?.machine, machine.isReady, let sequencer = machine.sequencer else {
      return "the router is not ready"
    }
    guard sequencer.isEveryNodeUp else { return "a feature is not up" }
    guard sequencer.isIdle else { return "records are in flight" }
    for index in peers.indices {
      guard peers[index].isAlive else { return "peer \(index) is not alive" }
      guard let client = peers[index].client else { continue }
      if client.unsettled > 0 { return "client \(index) waits" }
      if peers[index].stateAsOf < sequencer.committedThrough { return "a mirror lags" }
    }
    let operation = sequencer.effects.living.first {
      if case .operation = $0.value.start.kind { true } else { false }
    }
    return operation.map { "operation \($0.key) runs" } ?? ""
  }
}

extension SimulationReport {
  mutating func add(_ machine: RouterMachine) {
    guard let counts = machine.sequencer?.counts else { return }
    squashes += counts.squashes
    unmounts += counts.unmounts
    voids += counts.voids
  }
}
