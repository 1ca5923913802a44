/// A compiled reducer: the mounts of children and the own logic, in written order.
///
/// Reducers are composed once; an action then finds its level by names. Children run before the
/// level's own logic wherever they stand in the body (R8).
package final class Level<State: JSONCodable, Action: JSONCodable & CasePathable>: Sendable {
  let mounts: [any Mount<State, Action>]
  let logic: [Logic<State, Action>]
  private let indices: [String: Int]
  /// Whether any mount at or below this level comes and goes.
  let hasDynamicMounts: Bool
  /// Cases of the action that nobody outside of this level may send.
  private let internalCases: Set<String>
  /// Whether there are internal cases here or below.
  let hasInternalCases: Bool
  private let hasInternalChildren: Bool
  /// Whether logic here or below reads what others share.
  let hasReads: Bool
  /// The whole level, when it has no children and one function.
  private let whole: Logic<State, Action>.Run?

  init(_ reducer: ComposedReducer<State, Action>) {
    mounts = reducer.level.mounts
    let logic =
      Unhandled(reducer.level).map { [$0.logic] + reducer.level.logic }
      ?? reducer.level.logic
    self.logic = Logic<State, Action>.Phase.allCases.flatMap { phase in
      logic.filter { $0.phase == phase }
    }
    var indices: [String: Int] = [:]
    for (index, mount) in mounts.enumerated() {
      precondition(
        indices.updateValue(index, forKey: mount.name) == nil,
        "Two children of \(State.self) are mounted for the case “\(mount.name)”")
    }
    self.indices = indices
    hasDynamicMounts = mounts.contains { $0.isDynamic }
    internalCases = Set(Action.internalCases)
    hasInternalChildren = mounts.contains { $0.hasInternalCases }
    hasInternalCases = hasInternalChildren || !internalCases.isEmpty
    hasReads = mounts.contains { $0.hasReads } || logic.contains { !$0.reads.isEmpty }
    whole = mounts.isEmpty && logic.count == 1 ? logic[0].run : nil
  }

  func mount(_ name: String) -> (any Mount<State, Action>)? { indices[name].map { mounts[$0] } }

  // MARK: Running

  /// Runs the record at the levels below this one and then here.
  /// - Returns: the action as this level sees it, if it or somebody above wants it.
  func run(
    _ state: inout State, depth: Int, placement: Placement?, wantsAction: Bool,
    _ stage: inout StageRun
  ) throws(UndecodableError) -> Action? {
    let isOwn = depth == stage.components.count
    if isOwn, !wantsAction, let whole {
      try run(whole, &state, depth: depth, &stage)
      return nil
    }
    let wantsAction = wantsAction || !logic.isEmpty
    let action: Action?
    if isOwn {
      action = wantsAction ? try decodeOwn(stage) : nil
    } else {
      guard let mount = mount(stage.components[depth]) else { throw stage.undecodable(depth + 1) }
      action = try mount.run(
        &state, depth: depth, placement: placement?.children[mount.name],
        wantsAction: wantsAction, &stage)
    }
    if let action, !logic.isEmpty {
      runLogic(&state, action, isOwn: isOwn, depth: depth, placement: placement, &stage)
    }
    return action
  }

  /// Runs a record of this level when nobody else wants its action.
  /// - Returns: false when it has to be run with the levels below.
  func runAlone(_ state: inout State, _ stage: inout StageRun) throws(UndecodableError) -> Bool {
    guard stage.components.isEmpty, let whole else { return false }
    try run(whole, &state, depth: 0, &stage)
    return true
  }

  private func run(
    _ whole: Logic<State, Action>.Run, _ state: inout State, depth: Int, _ stage: inout StageRun
  ) throws(UndecodableError) {
    let path = stage.path(at: depth)
    stage.inputs.enter(path, isPresented: stage.dismissal != nil)
    let effect: Effect<Action>
    do throws(JSONError) {
      if stage.wantsPatch {
        var patch: PatchBuilder? = stage.patch
        stage.patch = PatchBuilder()
        effect = try whole(&state, stage.input.payload, &patch)
        if let patch { stage.patch = patch }
      } else {
        var patch: PatchBuilder?
        effect = try whole(&state, stage.input.payload, &patch)
      }
    } catch {
      throw UndecodableError("The action at \(path) is not a \(Action.self): \(error)")
    }
    if !effect.isNone { record(effect, at: path, &stage) }
  }

  /// The action as this level sees it, from types alone.
  func decode(depth: Int, _ stage: StageRun) throws(UndecodableError) -> Action {
    if depth == stage.components.count { return try decodeOwn(stage) }
    guard let mount = mount(stage.components[depth]) else { throw stage.undecodable(depth + 1) }
    return try mount.decode(depth: depth, stage)
  }

  private func decodeOwn(_ stage: StageRun) throws(UndecodableError) -> Action {
    try decodeAction(stage.input.payload, at: stage.input.path)
  }

  /// Decodes an action addressed to this level; one of a child is refused, since it has another
  /// address.
  func decodeAction(_ payload: Bytes, at path: Path) throws(UndecodableError) -> Action {
    let action: Action
    do {
      action = try JSONReader.decode(from: payload)
    } catch {
      throw UndecodableError("The action at \(path) is not a \(Action.self): \(error)")
    }
    if !mounts.isEmpty, let other = address(action, at: path, isOwnNeeded: false) {
      throw UndecodableError("The action at \(path) belongs to \(other.path)")
    }
    return action
  }

  private func runLogic(
    _ state: inout State, _ action: Action, isOwn: Bool, depth: Int, placement: Placement?,
    _ stage: inout StageRun
  ) {
    guard logic.contains(where: { $0.isCalled(for: action, isOwn: isOwn) }) else { return }
    let wantsPatch = stage.wantsPatch
    let before =
      wantsPatch || placement != nil || hasDynamicMounts ? state : nil
    let path = stage.path(at: depth)
    stage.inputs.enter(path, isPresented: stage.dismissal != nil)
    for function in logic where function.isCalled(for: action, isOwn: isOwn) {
      let effect = function.reduce(&state, action, isOwn)
      if !effect.isNone { record(effect, at: path, &stage) }
    }
    guard let before, before != state else { return }
    if wantsPatch {
      State.difference(from: before, to: state, into: &stage.patch)
    } else if let placement, stage.patchSuspensions == 0 {
      placedDifference(from: before, to: state, placement, into: &stage.patch)
    }
    if hasDynamicMounts {
      var changes: [MountChange] = []
      compareMounts(before, state, at: path, isReplaced: false, into: &changes)
      changes.sort { $0.path < $1.path }
      stage.mounts += changes
    }
  }

  /// Lists the mount of this level, and all below it, as another one when its identity changed.
  func reportIdentity(
    _ before: String?, _ after: String, _ state: State, at path: Path, _ stage: inout StageRun
  ) {
    guard let before, before != after else { return }
    var changes = [MountChange(path: path, before: before, after: after)]
    if hasDynamicMounts {
      compareMounts(nil, state, at: path, isReplaced: true, into: &changes)
      changes.sort { $0.path < $1.path }
    }
    stage.mounts += changes
  }

  // MARK: Effects

  /// Resolves what the logic returned: addresses are canonical and complete from here on.
  func record(_ effect: Effect<Action>, at path: Path, _ stage: inout some EffectRecorder) {
    for step in effect.steps {
      switch step {
      case .send(let action):
        if let (target, payload) = address(action, at: path),
          isAllowed(target, JSONScan.caseText(of: payload), at: path, &stage)
        {
          stage.sends.append(Send(path: target, payload: payload))
        }
      case .dismiss:
        if let dismissal = stage.dismissal {
          stage.sends.append(dismissal)
        } else {
          stage.diagnostics.append(notPresented(path))
        }
      case .diagnostic(let text): stage.diagnostics.append(text)
      case .operation(let operation):
        let (owner, cases) = owner(of: operation.output.cases[...], at: path)
        guard isAllowed(owner, cases.first, at: path, &stage) else { continue }
        stage.effects.append(
          .start(
            EffectStart(
              path: owner,
              kind: .operation(
                name: operation.name, input: operation.input,
                output: OutputCase(cases: cases, isOutcome: operation.output.isOutcome),
                policy: operation.policy),
              cancelIDs: operation.cancelIDs)))
      case .timer(let timer):
        if let (owner, payload) = address(timer.action, at: path),
          isAllowed(owner, JSONScan.caseText(of: payload), at: path, &stage)
        {
          stage.effects.append(
            .start(
              EffectStart(
                path: owner,
                kind: .timer(
                  interval: timer.interval, isRepeating: timer.isRepeating, payload: payload),
                cancelIDs: timer.cancelIDs)))
        }
      case .deferred(let step):
        var deferred = Deferred(dismissal: stage.dismissal)
        record(step.effect, at: path, &deferred)
        stage.diagnostics += deferred.diagnostics
        stage.effects.append(
          .start(
            EffectStart(
              path: path,
              kind: .timer(
                interval: step.interval, isRepeating: false, payload: deferred.payload),
              cancelIDs: step.cancelIDs)))
      case .cancel(let id): stage.effects.append(.cancel(path: path, id: id))
      }
    }
  }

  /// Whether this level may send the case to the target; where not, a diagnostic says so.
  private func isAllowed(
    _ target: Path, _ name: @autoclosure () -> String?, at path: Path,
    _ stage: inout some EffectRecorder
  ) -> Bool {
    guard hasInternalChildren, target != path, let below = path.components(to: target),
      let found = internalCase(below[...], name(), at: path, isOutside: false)
    else { return true }
    stage.diagnostics.append(
      """
      \(path) sends to a child, and \(found). Nothing was sent. Give the child another case for what \
      its parents may ask of it, or remove @Internal from this one.
      """)
    return false
  }

  /// The internal case to which, or through which, an action leads from here.
  /// - Parameter isOutside: whether who sends it is not this level itself.
  func internalCase(
    _ below: ArraySlice<String>, _ name: String?, at path: Path, isOutside: Bool
  ) -> InternalCase? {
    guard let first = below.first ?? name else { return nil }
    if isOutside, internalCases.contains(first) { return InternalCase(path: path, name: first) }
    guard !below.isEmpty, let mount = mount(first), mount.hasInternalCases else { return nil }
    return mount.internalCase(below.dropFirst(), name, at: path)
  }

  private func notPresented(_ path: Path) -> String {
    """
    \(path) returned .dismiss, and nobody presents it: no feature above it is an ifLet over a \
    PresentationAction or an element of a stack. It stays. Let its parent take it away, or present it.
    """
  }

  /// The canonical address of an action of this level (R12).
  func address(
    _ action: Action, at path: Path, isOwnNeeded: Bool = true
  ) -> (path: Path, payload: Bytes)? {
    for mount in mounts {
      if let found = mount.address(action, at: path) { return found }
    }
    return isOwnNeeded ? (path, JSONWriter.bytes(of: action)) : nil
  }

  /// Who owns an effect whose output comes in the cases: the child, when they lead into one.
  func owner(of cases: ArraySlice<String>, at path: Path) -> (path: Path, cases: [String]) {
    cases.first.flatMap(mount)?.owner(of: cases, at: path) ?? (path, Array(cases))
  }

  // MARK: Comparing

  func compareMounts(
    _ before: State?, _ after: State?, at path: Path, isReplaced: Bool,
    into changes: inout [MountChange]
  ) {
    for mount in mounts where mount.isDynamic {
      mount.compareMounts(before, after, at: path, isReplaced: isReplaced, into: &changes)
    }
  }

  func placedDifference(
    from old: State, to new: State, _ placement: Placement, into patch: inout PatchBuilder
  ) {
    for mount in mounts {
      if let placement = placement.children[mount.name] {
        mount.placedDifference(from: old, to: new, placement, into: &patch)
      }
    }
  }

  func listMounts(_ state: State, at path: Path, into list: inout [Path: String]) {
    for mount in mounts where mount.isDynamic {
      mount.listMounts(state, at: path, into: &list)
    }
  }

  // MARK: Describing

  /// - Parameter isRepeated: whether the same feature stands above: what is below is described there.
  func describe(
    _ level: LevelDescription, isRepeated: Bool = false, into description: inout TreeDescription
  ) {
    var level = level
    let feature = Composition.Feature(State.self, Action.self)
    if isRepeated { level.repeats = description.place(of: feature, above: level.path) }
    level.hasLogic = !logic.isEmpty
    level.writesChildren = !logic.isEmpty && !mounts.isEmpty
    if !logic.isEmpty, logic.allSatisfy({ $0.observed != nil }) {
      level.observes = logic.flatMap { $0.observed ?? [] }.map(\.names)
    }
    level.internalCases = Action.internalCases
    level.bindings = Action.bindingCases
    level.reads = Set(logic.flatMap { $0.reads.map(\.name) }).sorted()
    let versioned = State.self as? any ObservableState.Type
    level.version = versioned?.version ?? 1
    description.stored.append(
      StateMigration.Step(
        index: description.levels.count, type: ObjectIdentifier(State.self),
        shape: { others in
          var shape = JSONShape(besides: others)
          State.shape(into: &shape)
          return shape.text
        },
        migrate: isRepeated ? nil : versioned.map { StateMigration.migration(to: $0) }))
    description.levels.append(level)
    description.features[level.path] = feature
    description.shape.append("\(level.path)")
    if level.version != 1 { description.shape.append("v\(level.version)") }
    description.shape.append(State.self)
    description.shape.append(Action.self)
    for name in level.reads { description.shape.append("<\(name)") }
    if isRepeated, description.isOfRepeat { return }
    if isRepeated {
      var tree = TreeDescription()
      tree.isOfRepeat = true
      describe(level, into: &tree)
      description.repeats.append(tree.asRepeat)
      return
    }
    for mount in mounts { mount.describe(in: level, into: &description) }
  }
}
