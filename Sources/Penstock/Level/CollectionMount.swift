/// The elements of a collection: `forEach`. A path has the case's name and the element's id.
package struct CollectionMount<
  ParentState: JSONCodable, ParentAction: JSONCodable & CasePathable,
  Elements: ElementCollection, ElementAction: JSONCodable & CasePathable
>: Mount {
  package typealias ID = Elements.ID
  package typealias ElementState = Elements.ElementState

  let keyPath: any WritableKeyPath<ParentState, Elements> & Sendable
  /// The field's name; nil when computed.
  let member: String?
  let action: CasePath<ParentAction, IdentifiedAction<ID, ElementAction>>
  private let childLevel: ChildLevel<ElementState, ElementAction>
  /// The parent's action that takes an element away; nil when elements can't ask for it.
  let dismiss: (@Sendable (ID) -> ParentAction)?

  init(
    keyPath: any WritableKeyPath<ParentState, Elements> & Sendable, member: String?,
    action: CasePath<ParentAction, IdentifiedAction<ID, ElementAction>>,
    child: ChildLevel<ElementState, ElementAction>, dismiss: (@Sendable (ID) -> ParentAction)? = nil
  ) {
    precondition(
      action.names.count == 1,
      "The case “\(action.names[0])” of \(ParentAction.self) must hold the element's action alone")
    self.keyPath = keyPath
    self.member = member
    self.action = action
    childLevel = child
    self.dismiss = dismiss
  }

  package var name: String { action.names[0] }
  var child: Level<ElementState, ElementAction> { childLevel.level }
  var isRepeated: Bool { childLevel.isRepeated }
  package var isDynamic: Bool { true }

  package var hasInternalCases: Bool { isRepeated || child.hasInternalCases }
  package var hasReads: Bool { isRepeated || child.hasReads }

  package func internalCase(
    _ below: ArraySlice<String>, _ name: String?, at parent: Path
  ) -> InternalCase? {
    guard let id = below.first else { return nil }
    let path = parent.appending(self.name).appending(id)
    return child.internalCase(below.dropFirst(), name, at: path, isOutside: true)
  }

  private func id(depth: Int, _ stage: StageRun) throws(UndecodableError) -> ID {
    guard depth + 1 < stage.components.count else { throw stage.undecodable(depth + 1) }
    return try id(stage.components[depth + 1], stage.input.path)
  }

  private func id(_ text: String, _ path: Path) throws(UndecodableError) -> ID {
    guard let id = ID(canonicalText: text) else {
      throw UndecodableError("“\(text)” in \(path) is not an id of \(ElementState.self)")
    }
    return id
  }

  private func embed(_ id: ID, _ action: ElementAction) -> ParentAction {
    self.action.embed(.element(id: id, action: action))
  }

  package func run(
    _ state: inout ParentState, depth: Int, placement: Placement?, wantsAction: Bool,
    _ stage: inout StageRun
  ) throws(UndecodableError) -> ParentAction? {
    let id = try id(depth: depth, stage)
    let before = member == nil && stage.wantsPatch ? state : nil
    if let member {
      stage.patch.enter(member)
      for name in Elements.members { stage.patch.enter(name) }
      stage.patch.enter(stage.components[depth + 1])
    } else {
      stage.patchSuspensions += 1
    }
    let outer = dismiss == nil ? nil : stage.dismissal
    if let dismiss {
      stage.dismissal = Send(
        path: stage.path(at: depth), payload: JSONWriter.bytes(of: dismiss(id)))
    }
    let action: ElementAction??
    action = try state[keyPath: keyPath].update(id: id) { (element) throws(UndecodableError) in
      try child.run(
        &element, depth: depth + 2, placement: nil, wantsAction: wantsAction, &stage)
    }
    if dismiss != nil { stage.dismissal = outer }
    if member != nil {
      for _ in 0..<(Elements.members.count + 2) { stage.patch.leave() }
    } else {
      stage.patchSuspensions -= 1
    }
    if let before, before != state {
      ParentState.difference(from: before, to: state, into: &stage.patch)
    }
    if let action { return action.map { embed(id, $0) } }
    stage.diagnostics.append(absence(at: stage.path(at: depth + 2)))
    return wantsAction ? try decode(depth: depth, stage) : nil
  }

  private func absence(at path: Path) -> String {
    """
    An action came to \(path), an element that is not there. Only the mounted parents saw it. \
    Either the element was removed before its last action arrived, which is harmless for results of \
    effects, or the action was sent too early: send it after the element was added.
    """
  }

  package func decode(depth: Int, _ stage: StageRun) throws(UndecodableError) -> ParentAction {
    embed(try id(depth: depth, stage), try child.decode(depth: depth + 2, stage))
  }

  package func address(
    _ action: ParentAction, at parent: Path
  ) -> (path: Path, payload: Bytes)? {
    guard case .element(let id, let action)? = self.action.extract(from: action) else { return nil }
    return child.address(action, at: parent.appending(name).appending(id.canonicalText))
  }

  package func owner(
    of cases: ArraySlice<String>, at parent: Path
  ) -> (path: Path, cases: [String])? { nil }

  package func compareMounts(
    _ before: ParentState?, _ after: ParentState?, at parent: Path, isReplaced: Bool,
    into changes: inout [MountChange]
  ) {
    let before = before?[keyPath: keyPath] ?? Elements()
    let after = after?[keyPath: keyPath] ?? Elements()
    if !isReplaced, before.ids == after.ids, !child.hasDynamicMounts { return }
    let path = parent.appending(name)
    func tell(_ id: ID, _ old: ElementState?, _ new: ElementState?) {
      let text = id.canonicalText
      let isReplaced = isReplaced || old == nil || new == nil
      if isReplaced {
        changes.append(
          MountChange(
            path: path.appending(text), before: old.map { _ in text }, after: new.map { _ in text })
        )
      }
      if child.hasDynamicMounts {
        child.compareMounts(
          old, new, at: path.appending(text), isReplaced: isReplaced, into: &changes)
      }
    }
    for id in before.ids where !after.ids.contains(id) { tell(id, before[id: id], nil) }
    for id in after.ids { tell(id, before[id: id], after[id: id]) }
  }

  package func placedDifference(
    from old: ParentState, to new: ParentState, _ placement: Placement,
    into patch: inout PatchBuilder
  ) {}

  package func describe(in parent: LevelDescription, into description: inout TreeDescription) {
    let stored = description.stored.count
    child.describe(
      LevelDescription(
        path: parent.path.appending(name).appending("*"), kind: .collection,
        statePath: parent.statePath + (member.map { [$0] + Elements.members } ?? []) + ["*"],
        hasLogic: false,
        placementObstacle: parent.placementObstacle
          ?? "it is an element of a collection, and those run where their collection does"),
      isRepeated: isRepeated, into: &description)
    if member == nil { description.stored.removeSubrange(stored...) }
  }

  package func node(
    at path: ArraySlice<String>, _ request: NodeRequest
  ) throws(UndecodableError) -> any NodeProgram {
    throw UndecodableError(
      "\(request.path) can't be placed: elements run where their collection does")
  }

  package func replay(
    _ state: inout ParentState, below path: ArraySlice<String>, at parent: Path,
    wantsAction: Bool, _ stage: inout ReplayStage
  ) throws(UndecodableError) -> ParentAction? {
    guard let text = path.first else {
      throw UndecodableError("There is no feature at \(parent.appending(name))")
    }
    let id = try id(text, stage.record.path)
    let at = parent.appending(name).appending(text)
    if var element = state[keyPath: keyPath][id: id] {
      let outer = stage.dismissal
      if let dismiss {
        stage.dismissal = Send(path: parent, payload: JSONWriter.bytes(of: dismiss(id)))
      }
      defer { stage.dismissal = outer }
      let action = try child.replay(
        &element, below: path.dropFirst(), at: at, wantsAction: wantsAction, &stage)
      state[keyPath: keyPath][id: id] = element
      return action.map { embed(id, $0) }
    }
    stage.absence = absence(at: at)
    // Nobody has to look at what is addressed to nothing; whoever did and could not read it has left
    // a mark.
    return wantsAction ? try? replayUnmounted(below: path, at: parent, stage) : nil
  }

  package func replayUnmounted(
    below path: ArraySlice<String>, at parent: Path, _ stage: ReplayStage
  ) throws(UndecodableError) -> ParentAction {
    guard let text = path.first else {
      throw UndecodableError("There is no feature at \(parent.appending(name))")
    }
    let at = parent.appending(name).appending(text)
    return embed(
      try id(text, stage.record.path),
      try child.replayUnmounted(below: path.dropFirst(), at: at, stage))
  }

  package func listMounts(_ state: ParentState, at parent: Path, into list: inout [Path: String]) {
    let elements = state[keyPath: keyPath]
    for id in elements.ids {
      guard let element = elements[id: id] else { continue }
      let path = parent.appending(name).appending(id.canonicalText)
      list[path] = id.canonicalText
      child.listMounts(element, at: path, into: &list)
    }
  }
}
