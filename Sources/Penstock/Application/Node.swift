/// One placed scope: its level, and which scopes below it are placed elsewhere.
struct Node<State: JSONCodable, Action: JSONCodable & CasePathable>: NodeProgram {
  let path: Path
  let unboundedDepth: Int?
  let level: Level<State, Action>
  let placement: Placement?
  /// Member names from this state to those of the placed children.
  let placedMembers: [[String]]
  /// Only the root has one.
  let initialState: (@Sendable () -> State)?
  /// Only the root has one.
  private let migration: StateMigration?
  /// For a mount that can be replaced by another one.
  private let identity: (@Sendable (State) -> String)?
  private let depth: Int
  private let dismissal: Send?

  init(
    _ level: Level<State, Action>, _ request: NodeRequest,
    initialState: (@Sendable () -> State)? = nil,
    migration: StateMigration? = nil, identity: (@Sendable (State) -> String)? = nil
  ) {
    self.migration = migration
    self.identity = identity
    path = request.path
    var shape = JSONShape()
    shape.append(State.self)
    unboundedDepth = shape.isUnbounded ? request.stateDepth : nil
    self.level = level
    depth = request.path.components.count
    dismissal = request.dismissal
    let path = request.path
    placement = Placement.tree(request.placed.compactMap { path.components(to: $0)?[...] })
    placedMembers = request.placedMembers
    self.initialState = initialState
  }

  func makeInitialState(now: Int64, seed: UInt64) throws(UndecodableError) -> State {
    guard let initialState else {
      throw UndecodableError("\(path) gets its state by being mounted; only the root makes one")
    }
    return TransitionInputs(now: now, seed: seed, isQuiet: true).run(initialState)
  }

  func migrate(
    _ state: Bytes, from description: ApplicationDescription
  ) throws(UndecodableError) -> State {
    guard let migration else {
      throw UndecodableError("\(path) gets its state by being mounted; only the root migrates one")
    }
    return try decode(migration.migrated(state, from: description))
  }

  func decode(_ bytes: Bytes) throws(UndecodableError) -> State {
    do {
      return try JSONReader.decode(from: bytes)
    } catch {
      throw UndecodableError("The state of \(path) is not a \(State.self): \(error)")
    }
  }

  func encode(_ state: State) -> Bytes { JSONWriter.bytes(of: state) }

  func encodeOwn(_ state: State) -> Bytes {
    let bytes = encode(state)
    return placedMembers.isEmpty ? bytes : emptyingPlaced(bytes, from: [])
  }

  /// Puts empty objects for the placed children into an encoded part of the state.
  private func emptyingPlaced(_ bytes: Bytes, from prefix: [String]) -> Bytes {
    do {
      var document = try JSONDocument(bytes)
      for members in placedMembers where members.starts(with: prefix) {
        let rest = Array(members.dropFirst(prefix.count))
        guard let child = document.subtree(at: rest), child != JSONNull else { continue }
        try document.apply(Patch([PatchOperation(path: rest, change: .set([0x7B, 0x7D]))]))
      }
      return document.encode()
    } catch {
      preconditionFailure("A state of \(path) was encoded as something else than JSON: \(error)")
    }
  }

  func apply(_ patch: Patch, to state: inout State) throws(UndecodableError) {
    do {
      try state.apply(patch)
    } catch {
      throw UndecodableError("A patch does not fit the state of \(path): \(error.message)")
    }
  }

  func difference(from old: State, to new: State) -> Patch { State.patch(from: old, to: new) }

  func ownDifference(from old: State, to new: State) -> Patch {
    let patch = difference(from: old, to: new)
    if placedMembers.isEmpty || patch.isEmpty { return patch }
    var before: Bytes?
    return Patch(
      patch.operations.compactMap { operation in
        let place = operation.path
        if let child = placedMembers.first(where: { place.starts(with: $0) }) {
          guard place == child else { return nil }
          // The child as a whole: it came, went, or is another value of the same mount.
          let encoded = before ?? encode(old)
          before = encoded
          let wasThere = JSONScan.value(at: child, in: encoded).map {
            !encoded[$0].elementsEqual(JSONNull)
          }
          if case .set(let bytes) = operation.change, bytes != JSONNull {
            if wasThere == true { return nil }
            return PatchOperation(path: place, change: .set([0x7B, 0x7D]))
          }
          return operation
        }
        guard placedMembers.contains(where: { $0.starts(with: place) }) else { return operation }
        switch operation.change {
        case .set(let bytes):
          return PatchOperation(
            path: place, change: .set(emptyingPlaced(bytes, from: place)))
        case .insert(let bytes, let index):
          return PatchOperation(
            path: place, change: .insert(emptyingPlaced(bytes, from: place), at: index))
        case .remove, .move: return operation
        }
      })
  }

  func mounts(in state: State) -> [MountChange] {
    var changes: [MountChange] = []
    level.compareMounts(nil, state, at: path, isReplaced: true, into: &changes)
    changes.sort { $0.path < $1.path }
    return changes
  }

  func reduce(_ state: inout State, _ input: StageInput) throws(UndecodableError) -> Transition {
    guard path.contains(input.path) else {
      throw UndecodableError("\(input.path) is not below \(path)")
    }
    if Deferred.isDeferred(input.payload) { return try start(input) }
    let inputs = TransitionInputs(
      now: input.now, seed: input.seed, isQuiet: input.isQuiet,
      shared: level.hasReads ? try sharedValues(for: input, state) : [:])
    return try inputs.run { () throws(UndecodableError) in
      var stage = StageRun(
        input, node: path, nodeDepth: depth, inputs: inputs, dismissal: dismissal)
      let before = identity?(state)
      if try !level.runAlone(&state, &stage) {
        _ = try level.run(&state, depth: 0, placement: placement, wantsAction: false, &stage)
      }
      if let identity { level.reportIdentity(before, identity(state), state, at: path, &stage) }
      return stage.transition
    }
  }

  /// What the stage reads: from its own state what stands there, the rest from what it was given.
  private func sharedValues(
    for input: StageInput, _ state: State
  ) throws(UndecodableError) -> [SharedName: any Sendable] {
    var reads: [SharedRead] = []
    level.collectReads(below: input.path.components.dropFirst(depth), placement, into: &reads)
    var values: [SharedName: any Sendable] = [:]
    for read in reads {
      if let below = path.components(to: read.name.path), isOwn(below) {
        values[read.name] = level.sharedValue(read, below: below[...], in: state)
      } else if let given = input.shared.first(where: { $0.name == read.name }) {
        values[read.name] = try read.decode(given.value)
      }
      if values[read.name] == nil {
        throw UndecodableError("\(path) reads \(read.name) and was not given it")
      }
    }
    return values
  }

  /// Whether the level below this one runs in this process.
  private func isOwn(_ below: [String]) -> Bool {
    var place = placement
    for component in below {
      place = place?.children[component]
      if place?.isPlaced == true { return false }
    }
    return true
  }

  /// A tick that starts effects is the matter of the lowest node alone, and of no logic.
  private func start(_ input: StageInput) throws(UndecodableError) -> Transition {
    var transition = Transition()
    guard isOwn(Array(input.path.components.dropFirst(depth))) else { return transition }
    let deferred = try Deferred(payload: input.payload)
    transition.sends = deferred.sends
    transition.effects = deferred.effects
    return transition
  }
}

/// `null`, encoded.
let JSONNull: Bytes = Array("null".utf8)

/// Which node is asked for.
package struct NodeRequest: Sendable {
  var path: Path
  /// The arrays and objects of the root's state in which the node's stands.
  var stateDepth: Int
  /// Placed scopes below it.
  var placed: [Path]
  /// Member names from the node's state to theirs.
  var placedMembers: [[String]]
  /// What takes away the innermost presented feature at or above it.
  var dismissal: Send?
}

extension Level {
  func node(
    at path: ArraySlice<String>, _ request: NodeRequest
  ) throws(UndecodableError) -> any NodeProgram {
    guard let name = path.first else { return Node(self, request) }
    guard let mount = mount(name) else {
      throw UndecodableError("There is no feature at \(request.path)")
    }
    return try mount.node(at: path.dropFirst(), request)
  }
}
