import Machines
import PenstockCore
import Wire

/// The oracle replays the journal's order; the run has to be equal to it.
extension Simulator {
  func judge() {
    guard let machine = router?.machine, let sequencer = machine.sequencer else {
      return fail(.comesToRest, "there is no router at the end")
    }
    report.add(machine)
    let order = disk.order.filter { $0.sequence <= sequencer.committedThrough }
    report.records = order.count
    checkNumbers(order)
    checkOrigins(order)
    checkClients(order)
    checkQuarantine(machine, order)
    guard violation == nil else { return }
    let checkpoints = checkpoints
    let wanted = Set(evidence.published.keys.map(\.sequence)).union(checkpoints.map(\.0))
    // One of the checkpoints is looked at closely: that is enough.
    let closely = checkpoints.map(\.0).last { $0 < order.count }
    let result = program.replay(
      order, statesAt: wanted, resultsAt: Set([closely].compactMap(\.self)))
    if let divergence = result.divergence {
      return fail(.orderIsPossible, "\(divergence)")
    }
    checkStates(result)
    checkVoids(order, result)
    checkChanges(order, result)
    checkCheckpoints(checkpoints, order, result)
    checkEnd(sequencer, result)
    // Most seeds have about 15, with a reserve for those in which much is caught up.
    // A squash of a wide window sends all of it again.
    let work = order.count + 10 * report.restarts + report.squashes + 50
    if report.messages > 100 * work {
      fail(
        .messagesAreBounded,
        "the router sent \(report.messages) messages for \(order.count) records")
    }
  }

  /// What is set aside for good is listed, also after restarts.
  private func checkQuarantine(_ machine: RouterMachine, _ order: [OrderRecord]) {
    let setAside = order.filter { $0.mark == .poison || $0.mark == .runaway }
    if machine.quarantine.records != setAside.suffix(Quarantine.limit) {
      fail(
        .quarantineIsComplete,
        "the quarantine has \(machine.quarantine.records.map(\.sequence)), not "
          + "\(setAside.map(\.sequence))")
    }
  }

  private func checkStates(_ result: ReplayResult) {
    for (place, state) in evidence.published.sorted(by: { $0.key < $1.key }) {
      guard let whole = result.states[place.sequence] else {
        return fail(
          .stateEqualsOracle,
          "a state was published as of \(place.sequence), which is not in the order")
      }
      let expected = part(of: whole, at: place.path)
      if expected != state {
        return fail(
          .stateEqualsOracle,
          "the state of \(place.path) published as of \(place.sequence) differs from the "
            + "oracle's:\n  published \((state ?? []).text)\n  oracle    \((expected ?? []).text)")
      }
    }
  }

  /// The state of a path inside the whole one; nil when it is not mounted.
  private func part(of whole: Bytes, at path: Path) -> Bytes? {
    if path.isRoot { return whole }
    guard let level = program.description.levels.first(where: { $0.path == path }) else {
      return nil
    }
    return JSONScan.state(at: level.statePath, in: whole)
  }

  private func checkVoids(_ order: [OrderRecord], _ result: ReplayResult) {
    let voids = Set(result.voids)
    let unmounted = Set(result.unmounted)
    for (sequence, tap) in evidence.tapped {
      let expected = (voids.contains(sequence), unmounted.contains(sequence))
      if tap.isVoid != expected.0 || (!tap.isVoid && tap.isUnmounted != expected.1) {
        fail(
          .voidsEqualOracle,
          "the tap said of \(sequence) void \(tap.isVoid), unmounted \(tap.isUnmounted), the "
            + "oracle says \(expected.0), \(expected.1)")
      }
    }
    for (action, status) in evidence.acknowledged {
      switch status {
      case .committed(let sequence, let isUnmounted):
        if voids.contains(sequence) || isUnmounted != unmounted.contains(sequence) {
          fail(
            .voidsEqualOracle,
            "\(action) was told \(status), the oracle says void \(voids.contains(sequence)), "
              + "unmounted \(unmounted.contains(sequence))")
        }
      case .void(let sequence, let reason):
        if order[Int(sequence)].mark != reason {
          fail(.voidsEqualOracle, "\(action) was told \(status), and the mark is another one")
        }
      case .refused: break
      }
    }
    for record in order where record.mark == .poison {
      let deaths = evidence.loneDeaths[record.origin] ?? 0
      if deaths < 3 {
        fail(
          .poisonIsProven,
          "\(record.sequence) was set aside after \(deaths) deaths while it was reduced alone")
      }
    }
  }

  /// Applies what the tap said, record for record. Where it said nothing (its router was killed
  /// before) the oracle's state is taken up again.
  private func checkChanges(_ order: [OrderRecord], _ result: ReplayResult) {
    guard isTapped, violation == nil else { return }
    var document = try? JSONDocument(order[0].payload)
    for record in order.dropFirst() {
      if let patch = evidence.tapped[record.sequence]?.patch {
        do {
          try document?.apply(patch)
        } catch {
          return fail(.changesAddUp, "the changes of \(record.sequence) do not fit: \(error)")
        }
      } else {
        document = nil
      }
      guard let state = result.states[record.sequence] else { continue }
      guard let made = document?.encode() else {
        document = try? JSONDocument(state)
        continue
      }
      if made != state {
        return fail(
          .changesAddUp,
          "by the tap the state at \(record.sequence) is\n  \(made.text)\n  oracle\n  "
            + state.text)
      }
    }
  }

  private var checkpoints: [(UInt64, Checkpoint)] {
    disk.durable.suffix(4_000).compactMap { entry in
      guard case .checkpoint(let sequence, let body) = entry,
        let checkpoint = try? Checkpoint(decoding: body)
      else { return nil }
      return (sequence, checkpoint)
    }
  }

  private func checkCheckpoints(
    _ checkpoints: [(UInt64, Checkpoint)], _ order: [OrderRecord], _ result: ReplayResult
  ) {
    for (sequence, checkpoint) in checkpoints {
      if checkpoint.state != result.states[sequence] {
        return fail(.checkpointEqualsOracle, "the state of the checkpoint at \(sequence) differs")
      }
    }
    guard let (sequence, then) = result.earlier.first,
      let checkpoint = checkpoints.last(where: { $0.0 == sequence })?.1
    else { return }
    let before = order.prefix(Int(sequence) + 1)
    if checkpoint.part.mounts.mapValues(\.generation) != then.mounts {
      fail(.checkpointEqualsOracle, "the mounts of the checkpoint at \(sequence) differ")
    }
    if Set(checkpoint.part.living.keys) != Set(then.livingEffects.keys) {
      fail(.checkpointEqualsOracle, "the effects of the checkpoint at \(sequence) differ")
    }
    for item in checkpoint.part.waiting {
      guard case .send(let cause, let index) = item.origin else { continue }
      if !then.unconsumedSends.contains(where: { $0.cause == cause && $0.index == index }) {
        fail(
          .checkpointEqualsOracle,
          "in the checkpoint at \(sequence) waits send \(index) of \(cause), which does not")
      }
    }
    for case .client(let session, let number) in before.map(\.origin)
    where checkpoint.sessions[session]?.next ?? 0 <= number {
      fail(
        .checkpointEqualsOracle,
        "the checkpoint at \(sequence) lacks action \(number) of session \(session)")
    }
  }

  private func checkEnd(_ sequencer: Sequencer, _ result: ReplayResult) {
    let living = Set(sequencer.effects.living.keys)
    let expected = Set(result.livingEffects.keys)
    if living != expected {
      fail(
        .effectsEqualOracle,
        "only for the router live \(living.subtracting(expected).sorted()), only for the oracle "
          + "\(expected.subtracting(living).sorted())")
    }
    let mounts = sequencer.mountedGenerations
    if mounts != result.mounts {
      fail(.mountsEqualOracle, "router \(mounts), oracle \(result.mounts)")
    }
    if !result.unconsumedSends.isEmpty {
      fail(.sendsArrive, "lost are \(result.unconsumedSends.prefix(3))")
    }
  }
}

extension SimulationReport {
  mutating func add(_ machine: RouterMachine) {
    reached.add(machine.rarePaths)
    guard let counts = machine.sequencer?.counts else { return }
    squashes += counts.squashes
    unmounts += counts.unmounts
    voids += counts.voids
  }

  mutating func add(_ peer: SimulatedPeer) {
    if let feature = peer.feature { reached.add(feature.rare) }
    if let client = peer.client { reached.add(client.rare) }
  }
}
