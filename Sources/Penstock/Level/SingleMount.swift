/// A child that is there once, or not at all: `Scope`, `ifLet`, `ifCaseLet`.
package struct SingleMount<
  Access: StateAccess, ParentAction: JSONCodable & CasePathable,
  ChildAction: JSONCodable & CasePathable
>: Mount {
  package typealias ParentState = Access.Parent

  let kind: LevelDescription.Kind
  let access: Access
  /// Member names that lead from the parent's encoded state to the child's; nil when computed.
  let members: [String]?
  let action: CasePath<ParentAction, ChildAction>
  private let childLevel: ChildLevel<Access.Child, ChildAction>
  /// nil for a child that is always there.
  let identity: (@Sendable (Access.Child) -> String)?
  /// The parent's action that takes the child away, encoded; nil when nobody presents it.
  let dismiss: Bytes?

  init(
    kind: LevelDescription.Kind, access: Access, members: [String]?,
    action: CasePath<ParentAction, ChildAction>, child: ChildLevel<Access.Child, ChildAction>,
    identity: (@Sendable (Access.Child) -> String)?, dismiss: ParentAction? = nil
  ) {
    precondition(
      action.names.count == 1 || dismiss != nil,
      "The case “\(action.names[0])” of \(ParentAction.self) must hold the child's action alone")
    self.kind = kind
    self.access = access
    self.members = members
    self.action = action
    childLevel = child
    self.identity = identity
    self.dismiss = dismiss.map { JSONWriter.bytes(of: $0) }
  }

  package var name: String { action.names[0] }
  var child: Level<Access.Child, ChildAction> { childLevel.level }
  var isRepeated: Bool { childLevel.isRepeated }
  package var isDynamic: Bool { identity != nil || isRepeated || child.hasDynamicMounts }

  package var hasInternalCases: Bool { isRepeated || child.hasInternalCases }
  package var hasReads: Bool { isRepeated || child.hasReads }

  package func internalCase(
    _ below: ArraySlice<String>, _ name: String?, at parent: Path
  ) -> InternalCase? {
    child.internalCase(below, name, at: parent.appending(self.name), isOutside: true)
  }

  package func run(
    _ state: inout Access.Parent, depth: Int, placement: Placement?, wantsAction: Bool,
    _ stage: inout StageRun
  ) throws(UndecodableError) -> ParentAction? {
    if placement?.isPlaced != true {
      let action = try runChild(
        &state, depth: depth, placement: placement, wantsAction: wantsAction, &stage)
      if let action { return action.map(self.action.embed) }
      stage.diagnostics.append(absence(at: stage.path(at: depth + 1)))
    }
    return wantsAction ? try decode(depth: depth, stage) : nil
  }

  /// - Returns: the child's action if it is wanted; nil around it when there is no child.
  private func runChild(
    _ state: inout Access.Parent, depth: Int, placement: Placement?, wantsAction: Bool,
    _ stage: inout StageRun
  ) throws(UndecodableError) -> ChildAction?? {
    let before = members == nil && stage.wantsPatch ? state : nil
    if let members {
      for member in members { stage.patch.enter(member) }
    } else {
      stage.patchSuspensions += 1
    }
    let outer = dismiss == nil ? nil : stage.dismissal
    if let dismiss { stage.dismissal = Send(path: stage.path(at: depth), payload: dismiss) }
    defer { if dismiss != nil { stage.dismissal = outer } }
    let action = try access.modify(&state) { (child) throws(UndecodableError) in
      let before = identity?(child)
      let action = try self.child.run(
        &child, depth: depth + 1, placement: placement, wantsAction: wantsAction, &stage)
      if let identity {
        self.child.reportIdentity(
          before, identity(child), child, at: stage.path(at: depth + 1), &stage)
      }
      return action
    }
    if let members {
      for _ in members { stage.patch.leave() }
    } else {
      stage.patchSuspensions -= 1
    }
    if let before, before != state {
      Access.Parent.difference(from: before, to: state, into: &stage.patch)
    }
    return action
  }

  private func absence(at path: Path) -> String {
    let what = kind == .enumCase ? "the state is of another case" : "its state is nil"
    return """
      An action came to \(path) while \(what). Only the mounted parents saw it. Either a parent \
      removed the feature before its last action arrived, which is harmless for results of effects, \
      or the action was sent too early: send it after the state was set.
      """
  }

  package func decode(depth: Int, _ stage: StageRun) throws(UndecodableError) -> ParentAction {
    action.embed(try child.decode(depth: depth + 1, stage))
  }

  package func address(
    _ action: ParentAction, at parent: Path
  ) -> (path: Path, payload: Bytes)? {
    self.action.extract(from: action).flatMap { child.address($0, at: parent.appending(name)) }
  }

  package func owner(
    of cases: ArraySlice<String>, at parent: Path
  ) -> (path: Path, cases: [String])? {
    cases.starts(with: action.names)
      ? child.owner(of: cases.dropFirst(action.names.count), at: parent.appending(name)) : nil
  }

  package func compareMounts(
    _ before: Access.Parent?, _ after: Access.Parent?, at parent: Path, isReplaced: Bool,
    into changes: inout [MountChange]
  ) {
    let before = before.flatMap(access.read)
    let after = after.flatMap(access.read)
    if before == nil && after == nil || !isReplaced && before == after { return }
    let path = parent.appending(name)
    var isReplaced = isReplaced
    if let identity {
      let change = MountChange(
        path: path, before: before.map(identity), after: after.map(identity))
      if isReplaced || change.before != change.after {
        changes.append(change)
        isReplaced = true
      }
    }
    if child.hasDynamicMounts {
      child.compareMounts(before, after, at: path, isReplaced: isReplaced, into: &changes)
    }
  }

  package func placedDifference(
    from old: Access.Parent, to new: Access.Parent, _ placement: Placement,
    into patch: inout PatchBuilder
  ) {
    let (before, after) = (access.read(old), access.read(new))
    guard before != after, let members else { return }
    guard let before, let after else {
      // The child comes or goes: only the parent's own difference says how.
      return tellWhole(from: old, to: new, into: &patch)
    }
    for member in members { patch.enter(member) }
    if placement.isPlaced {
      Access.Child.difference(from: before, to: after, into: &patch)
    } else {
      child.placedDifference(from: before, to: after, placement, into: &patch)
    }
    for _ in members { patch.leave() }
  }

  /// Keeps, of the parent's difference, what concerns the child.
  private func tellWhole(
    from old: Access.Parent, to new: Access.Parent, into patch: inout PatchBuilder
  ) {
    let members = members ?? []
    for operation in Access.Parent.patch(from: old, to: new).operations
    where operation.path.starts(with: members) || members.starts(with: operation.path) {
      patch.append(lifting: operation)
    }
  }

  package func describe(in parent: LevelDescription, into description: inout TreeDescription) {
    var level = LevelDescription(
      path: parent.path.appending(name), kind: kind, statePath: parent.statePath + (members ?? []),
      hasLogic: false, placementObstacle: parent.placementObstacle,
      wrapping: Array(action.names.dropFirst()))
    if level.placementObstacle == nil, members == nil {
      level.placementObstacle =
        "its state is computed, so it runs inside its parent: only a stored field can be placed"
    }
    if level.placementObstacle == nil { level.placementObstacle = childLevel.obstacle }
    let stored = description.stored.count
    child.describe(level, isRepeated: isRepeated, into: &description)
    // What is computed is stored nowhere, and neither is what is below it.
    if members == nil { description.stored.removeSubrange(stored...) }
  }

  package func node(
    at path: ArraySlice<String>, _ request: NodeRequest
  ) throws(UndecodableError) -> any NodeProgram {
    if let obstacle = childLevel.obstacle {
      throw UndecodableError("\(request.path) can't be placed: \(obstacle)")
    }
    var request = request
    if let dismiss {
      let depth = request.path.components.count - path.count - 1
      request.dismissal = Send(path: request.path.prefix(depth), payload: dismiss)
    }
    return path.isEmpty
      ? Node(child, request, identity: identity) : try child.node(at: path, request)
  }

  package func replay(
    _ state: inout Access.Parent, below path: ArraySlice<String>, at parent: Path,
    wantsAction: Bool, _ stage: inout ReplayStage
  ) throws(UndecodableError) -> ParentAction? {
    let at = parent.appending(name)
    if var child = access.read(state) {
      let before = identity?(child)
      let outer = stage.dismissal
      if let dismiss { stage.dismissal = Send(path: parent, payload: dismiss) }
      defer { stage.dismissal = outer }
      let action = try self.child.replay(
        &child, below: path, at: at, wantsAction: wantsAction, &stage)
      // A child that changed its own identity is another mount, and so is all below it.
      if let before, let after = identity?(child), before != after {
        var below: [Path: String] = [:]
        self.child.listMounts(child, at: at, into: &below)
        stage.report([at: before], below.merging([at: after]) { $1 })
      }
      _ = try access.modify(&state) { (place) throws(UndecodableError) in place = child }
      return action.map(self.action.embed)
    }
    stage.absence = absence(at: at)
    // Nobody has to look at what is addressed to nothing; whoever did and could not read it has left
    // a mark.
    return wantsAction ? try? replayUnmounted(below: path, at: parent, stage) : nil
  }

  package func replayUnmounted(
    below path: ArraySlice<String>, at parent: Path, _ stage: ReplayStage
  ) throws(UndecodableError) -> ParentAction {
    action.embed(try child.replayUnmounted(below: path, at: parent.appending(name), stage))
  }

  package func listMounts(
    _ state: Access.Parent, at parent: Path, into list: inout [Path: String]
  ) {
    guard let state = access.read(state) else { return }
    let path = parent.appending(name)
    if let identity { list[path] = identity(state) }
    child.listMounts(state, at: path, into: &list)
  }
}
