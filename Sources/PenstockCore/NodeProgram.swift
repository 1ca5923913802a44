/// What a stage is given besides the state.
package struct StageInput: Sendable {
  package var sequence: UInt64
  package var path: Path
  package var payload: Bytes
  package var now: Int64
  package var seed: UInt64
  /// The reducers' logger is silent when this is set (speculative or replayed runs).
  package var isQuiet: Bool
  /// Whether `Transition.patch` must hold every change; writes to placed children are always there.
  package var wantsPatch: Bool

  package init(
    sequence: UInt64, path: Path, payload: Bytes, now: Int64, seed: UInt64, isQuiet: Bool = false,
    wantsPatch: Bool = true
  ) {
    self.sequence = sequence
    self.path = path
    self.payload = payload
    self.now = now
    self.seed = seed
    self.isQuiet = isQuiet
    self.wantsPatch = wantsPatch
  }
}

/// A payload or a state that the node's types do not accept.
package struct UndecodableError: Error, Equatable, Sendable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}

/// One placed scope with its types erased: what a feature process runs. Pure.
///
/// A program covers the scope at `path` and everything below it up to the next placed scopes; of those
/// its state holds mirrors, and their reducers do not run here.
package protocol NodeProgram<State>: Sendable {
  associatedtype State: Sendable

  var path: Path { get }

  /// The root's initial state, for record 0. Other nodes get theirs by being mounted.
  func makeInitialState(now: Int64, seed: UInt64) throws(UndecodableError) -> State
  func decode(_ bytes: Bytes) throws(UndecodableError) -> State
  /// The whole state, mirrors included.
  func encode(_ state: State) -> Bytes
  /// The state without its placed children: of each one that is present an empty object stands there.
  func encodeOwn(_ state: State) -> Bytes
  func apply(_ patch: Patch, to state: inout State) throws(UndecodableError)
  /// What turns `old` into `new`, placed children left out as in `encodeOwn`.
  func ownDifference(from old: State, to new: State) -> Patch
  /// All dynamic mounts that the state holds, as changes from "not mounted".
  func mounts(in state: State) -> [MountChange]
  /// Reduces the record at this node: the levels of this process on the way from the record's path up
  /// to `path`, lowest first. Below a placed child or a missing mount nothing runs.
  func reduce(_ state: inout State, _ input: StageInput) throws(UndecodableError) -> Transition
}

/// A composed application with its types erased.
package protocol ApplicationProgram: Sendable {
  var description: ApplicationDescription { get }
  /// The program of a placed scope.
  /// - Throws: `UndecodableError` with the reason when the path is unknown or can't be placed.
  func node(at path: Path, placement: [Path]) throws -> any NodeProgram
  /// The oracle (R1): derives everything from the records, the whole state typed in one place.
  /// - Parameter sequences: after which records the state is wanted.
  func replay(_ order: [OrderRecord], statesAt sequences: Set<UInt64>) -> ReplayResult
}

/// One level (scope) of the composed reducer, listed without running anything.
public struct LevelDescription: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case root, scope, optional, enumCase = "case", collection
  }

  /// The address; an element of a collection is `*`, so the rows of `/targets` are `/targets/rows/*`.
  public var path: Path
  public var kind: Kind
  /// Member names from the root's state; `*` for an element.
  public var statePath: [String]
  /// Whether the level has logic of its own.
  public var hasLogic: Bool
  /// Whether that logic can write to child states (R15: handed over read-only it cannot).
  public var writesChildren: Bool
  /// Case chains, from this level, of the child actions that the logic observes; nil is "all".
  public var observes: [[String]]?
  /// Why the scope can't be a process of its own; nil when it can.
  public var placementObstacle: String?

  public init(
    path: Path, kind: Kind, statePath: [String], hasLogic: Bool, writesChildren: Bool = true,
    observes: [[String]]? = nil, placementObstacle: String? = nil
  ) {
    self.path = path
    self.kind = kind
    self.statePath = statePath
    self.hasLogic = hasLogic
    self.writesChildren = writesChildren
    self.observes = observes
    self.placementObstacle = placementObstacle
  }
}

/// What the router learns of an application: names and shapes, no types.
public struct ApplicationDescription: Hashable, Sendable {
  public var name: String
  /// In order of declaration, a parent before its children; the first is the root.
  public var levels: [LevelDescription]
  /// Wire names of the operations that the application's workers serve.
  public var operations: [String]
  /// Types that are coded by Foundation's slow path.
  public var slowTypes: [String]
  /// Hash of the levels and the encoded shapes of states and actions.
  public var schemaHash: UInt64

  public init(
    name: String, levels: [LevelDescription], operations: [String] = [], slowTypes: [String] = [],
    schemaHash: UInt64 = 0
  ) {
    self.name = name
    self.levels = levels
    self.operations = operations
    self.slowTypes = slowTypes
    self.schemaHash = schemaHash
  }
}
