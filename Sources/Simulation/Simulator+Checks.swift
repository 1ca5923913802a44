import Machines
import PenstockCore
import Wire

/// What is checked, or noted for the judge, as the run goes.
extension Simulator {
  /// Nothing is told, started or published before it is durable.
  func check(sent message: Message, durableThrough: UInt64) {
    switch message {
    case .outcome(let outcome):
      switch outcome.status {
      case .committed(let sequence, _), .void(let sequence, _):
        if sequence > durableThrough {
          fail(.nothingBeforeDurable, "\(sequence) was acknowledged before it was durable")
        }
      case .refused: break
      }
    case .assign(let assignment):
      if assignment.effect.sequence > durableThrough {
        fail(
          .nothingBeforeDurable,
          "effect \(assignment.effect) was started before its action was durable")
      }
      saw(assignment)
    case .outputAccepted(let effect, _, let index):
      check(accepted: effect, index)
    case .state(let state):
      if state.asOf > durableThrough {
        fail(
          .nothingBeforeDurable,
          "the state as of \(state.asOf) was published before it was durable")
      }
    default: break
    }
  }

  /// A worker lets go of an output when it is accepted: then it has to be durable. The end of an
  /// attempt that is not the last needs no record.
  private func check(accepted effect: EffectID, _ index: UInt32) {
    guard index != .max, let known = watch.tries[effect], !known.isOver,
      disk.durableOutputs[effect].map({ $0 < index }) ?? true
    else { return }
    fail(.nothingBeforeDurable, "output \(index) of \(effect) was accepted before it was durable")
  }

  private func saw(_ assignment: Assignment) {
    let run = Evidence.Run(operation: assignment.operation, input: assignment.input)
    if let old = evidence.assigned.updateValue(run, forKey: assignment.effect),
      old.operation != run.operation || old.input != run.input
    {
      fail(
        .effectKeepsInput,
        "\(assignment.effect) was \(old.operation) of \(old.input.text), then \(run.operation) of "
          + run.input.text)
    }
  }

  func saw(state: Bytes?, of path: Path, asOf sequence: UInt64) {
    report.publications += 1
    let place = Evidence.Place(sequence: sequence, path: path)
    if let old = evidence.published.updateValue(state, forKey: place), old != state {
      fail(.stateEqualsOracle, "two states of \(path) were published as of \(sequence)")
    }
  }

  func saw(_ work: Work) {
    evidence.told[work.sequence] = Evidence.Told(
      start: work.epoch.start, cause: work.cause, correlation: work.correlation)
  }

  func saw(outcome: ClientOutcome, session: UInt64) {
    if case .refused = outcome.status { return }
    let action = Evidence.ClientAction(session: session, sequence: outcome.clientSequence)
    if let old = evidence.acknowledged.updateValue(outcome.status, forKey: action),
      old != outcome.status
    {
      fail(.acknowledgedOnce, "action \(action) was told \(old) and \(outcome.status)")
    }
  }

  func saw(appended entries: [JournalEntry]) {
    for case .record(let record) in entries {
      origins[record.sequence] = record.origin
      check(timeOf: record)
      if case .output(let effect, _, true) = record.origin,
        record.payload.text.contains("\"code\":\"\(SimulatedOutcome.retryable)\""),
        let found = watch.checkGivingUp(effect)
      {
        fail(found.invariant, found.sentence)
      }
    }
  }

  /// Order time follows the monotonic clock, and the wall clock forward.
  private func check(timeOf record: OrderRecord) {
    if let last = watch.lastAppended, record.now < last.time + now - last.now {
      fail(
        .timeGoesForward,
        "from \(last.time) on \(now - last.now) µs passed, and record \(record.sequence) has "
          + "\(record.now)")
    }
    watch.lastAppended = (record.now, now)
    if record.now < wall {
      fail(
        .timeGoesForward,
        "record \(record.sequence) has the time \(record.now) at \(wall) of the wall clock")
    }
  }

  /// Each start tells the tap every record that it commits, once and in order.
  func saw(_ record: TapRecord) {
    guard case .action(let tap) = record else { return }
    let sequence = tap.record.sequence
    if let last = watch.lastTapped, sequence != last + 1 {
      fail(.changesAddUp, "the tap was told \(sequence) after \(last)")
    }
    watch.lastTapped = sequence
    evidence.tapped[sequence] = Evidence.Tapped(
      isVoid: tap.isVoid, isUnmounted: tap.isUnmounted, patch: tap.patch)
  }

  func checkGivenInOrder() {
    guard let late = router?.machine.sequencer?.counts.givenLate, late > 0 else { return }
    fail(.givenInOrder, "\(late) times a node was given something older than what it had")
  }

  func checkQueues() {
    guard let queue = router?.machine.overfull else { return }
    fail(.queuesAreBounded, "\(queue.name) holds \(queue.count), \(queue.bound) are allowed")
  }

  /// What is missing for rest; empty when everything that was sent is settled, and everybody is back.
  var unrest: String {
    guard actionsLeft == 0 else { return "\(actionsLeft) actions are unsent" }
    guard let machine = router?.machine, machine.isReady, let sequencer = machine.sequencer else {
      return "the router is not ready"
    }
    guard sequencer.isEveryNodeUp else { return "a feature is not up" }
    guard sequencer.isIdle else { return "records are in flight" }
    for index in peers.indices {
      guard peers[index].isAlive else { return "\(name(of: index)) is not alive" }
      if let worker = peers[index].worker, !worker.isIdle {
        return "\(name(of: index)) holds what was accepted or is over"
      }
      guard let client = peers[index].client else { continue }
      if client.unsettled > 0 { return "\(name(of: index)) waits for an outcome" }
      if !peers[index].requests.isEmpty { return "\(name(of: index)) waits for an answer" }
      let asOf = peers[index].root.flatMap { peers[index].asOf[$0] } ?? 0
      if asOf < sequencer.committedThrough { return "a mirror lags" }
    }
    if sequencer.tailCount >= 2 * machine.recordsForCheckpoint { return "a checkpoint is due" }
    for (id, effect) in sequencer.effects.living {
      switch effect.start.kind {
      case .operation: return "operation \(id) runs"
      case .timer(let interval, _, _):
        if sequencer.now > (effect.lastDue ?? effect.startedAt) + interval + 50_000 {
          return "timer \(id) is late"
        }
      }
    }
    return ""
  }
}
