/// A composed application: the compiled tree of levels and its description.
package final class Application<App: PenstockApp>: ApplicationProgram {
  package let app: App
  package let root: Level<App.Root.State, App.Root.Action>
  package let description: ApplicationDescription
  package let operations: OperationRegistry
  private let migration: StateMigration
  private let hasBindings: Bool

  /// - Parameter isWhole: whether the owners of all that is read have to be there.
  package init(_ app: App, isWhole: Bool = true) {
    self.app = app
    root = Self.composed(app)
    operations = OperationRegistry(App.operations)
    var tree = Self.described(root)
    if let obstacle = tree.obstacleToRepeating { preconditionFailure(obstacle) }
    for operation in App.operations.sorted(by: { $0.operationName < $1.operationName }) {
      tree.append(operation)
    }
    tree.describeShapes()
    migration = StateMigration(tree)
    description = ApplicationDescription(
      name: App.name, levels: tree.levels, operations: operations.names,
      slowTypes: tree.shape.slowTypes, schemaHash: tree.shape.hash)
    hasBindings = tree.levels.contains { !$0.bindings.isEmpty }
    if isWhole, root.hasReads { checkReads() }
  }

  private static func composed(_ app: App) -> Level<App.Root.State, App.Root.Action> {
    Composition.compose {
      var composed = ComposedReducer<App.Root.State, App.Root.Action>()
      app.root.compile(into: &composed.level)
      return Level(composed)
    }
  }

  private static func described(
    _ root: Level<App.Root.State, App.Root.Action>
  ) -> TreeDescription {
    var tree = TreeDescription()
    root.describe(
      LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: false), into: &tree)
    return tree
  }

  /// Why a feature can't stand below one of the same types: it is composed otherwise.
  package static func obstacleToRepeating(_ app: App) -> String? {
    described(composed(app)).obstacleToRepeating
  }

  /// The canonical address and the payload of an action of the root (R12).
  package func address(_ action: App.Root.Action) -> (path: Path, payload: Bytes) {
    root.address(action, at: .root) ?? (.root, JSONWriter.bytes(of: action))
  }

  /// The field that an action sets; nil when it is no binding.
  package func boundField(_ path: Path, _ payload: Bytes) -> String? {
    hasBindings ? description.boundField(path, payload) : nil
  }

  /// The internal case to which, or through which, an action from outside leads.
  package func internalCase(_ path: Path, _ payload: Bytes) -> InternalCase? {
    guard root.hasInternalCases else { return nil }
    return root.internalCase(
      path.components[...], JSONScan.caseText(of: payload), at: .root, isOutside: true)
  }

  /// The root's action around a payload at an address; the other way than `address`.
  package func action(at path: Path, _ payload: Bytes) throws(UndecodableError) -> App.Root.Action {
    let record = OrderRecord(
      sequence: 0, path: path, payload: payload, now: 0, seed: 0, origin: .initial, correlation: 0)
    return try root.replayUnmounted(
      below: path.components[...], at: .root,
      ReplayStage(record: record, inputs: TransitionInputs(now: 0, seed: 0, isQuiet: true)))
  }

  /// Whether a payload is no action but starts effects.
  package func isDeferred(_ payload: Bytes) -> Bool { Deferred.isDeferred(payload) }

  package func node(at path: Path, placement: [Path]) throws -> any NodeProgram {
    let level = try placeable(path)
    var request = NodeRequest(
      path: path, stateDepth: level.statePath.count, placed: [], placedMembers: [])
    for placed in placement where placed != path && path.contains(placed) {
      let other = try placeable(placed)
      request.placed.append(placed)
      request.placedMembers.append(Array(other.statePath.dropFirst(level.statePath.count)))
    }
    if path.isRoot {
      return Node(
        root, request, initialState: { [app] in app.initialState }, migration: migration)
    }
    return try root.node(at: path.components[...], request)
  }

  private func placeable(_ path: Path) throws -> LevelDescription {
    guard let level = description.level(addressed: path) else {
      throw UndecodableError("There is no feature at \(path)")
    }
    if let obstacle = level.obstacle(toPlacing: path) {
      throw UndecodableError("\(path) can't be placed: \(obstacle)")
    }
    return level
  }
}

extension TreeDescription {
  mutating func append<Run: WorkerOperation>(_ operation: Run.Type) {
    shape.append(operation.operationName)
    shape.append(Run.self)
    shape.append(Run.Output.self)
  }
}
