extension Level {
  /// The oracle's way: children first, then the own logic, with whole states.
  func replay(
    _ state: inout State, below path: ArraySlice<String>, at here: Path, wantsAction: Bool,
    _ stage: inout ReplayStage
  ) throws(UndecodableError) -> Action? {
    let wantsAction = wantsAction || !logic.isEmpty
    var action: Action?
    if let name = path.first {
      guard let mount = mount(name) else {
        throw UndecodableError("There is no feature at \(here.appending(name))")
      }
      action = try mount.replay(
        &state, below: path.dropFirst(), at: here, wantsAction: wantsAction, &stage)
    } else if wantsAction {
      action = try decodeAction(stage.record.payload, at: here)
    }
    guard let action, !logic.isEmpty else { return action }
    let old = state
    stage.inputs.enter(here, isPresented: stage.dismissal != nil)
    for function in logic where function.isCalled(for: action, isOwn: path.isEmpty) {
      record(function.reduce(&state, action, path.isEmpty), at: here, &stage)
    }
    if state == old { return action }
    var before: [Path: String] = [:]
    var after: [Path: String] = [:]
    listMounts(old, at: here, into: &before)
    listMounts(state, at: here, into: &after)
    stage.report(before, after)
    return action
  }

  func replayUnmounted(
    below path: ArraySlice<String>, at here: Path, _ stage: ReplayStage
  ) throws(UndecodableError) -> Action {
    guard let name = path.first else { return try decodeAction(stage.record.payload, at: here) }
    guard let mount = mount(name) else {
      throw UndecodableError("There is no feature at \(here.appending(name))")
    }
    return try mount.replayUnmounted(below: path.dropFirst(), at: here, stage)
  }
}

/// What the oracle collects of one record.
package struct ReplayStage: Sendable, EffectRecorder {
  let record: OrderRecord
  let inputs: TransitionInputs
  var sends: [Send] = []
  var effects: [EffectCommand] = []
  var diagnostics: [String] = []
  var dismissal: Send?
  /// What on the way to the record's path is not mounted, in a sentence.
  var absence: String?
  /// Paths of mounts that some level changed, in the order of the first change.
  var reports: [Path] = []

  init(record: OrderRecord, inputs: TransitionInputs) {
    self.record = record
    self.inputs = inputs
  }

  /// Notes what one level's logic changed; what lies below a change counts as changed.
  mutating func report(_ before: [Path: String], _ after: [Path: String]) {
    let all = Set(before.keys).union(after.keys)
    let changed = all.filter { before[$0] != after[$0] }
    if changed.isEmpty { return }
    let known = Set(reports)
    reports += all.filter { $0.isWithin(changed) && !known.contains($0) }.sorted()
  }
}
