/// Where a child level hangs in its parent, with the child's types erased.
package protocol Mount<ParentState, ParentAction>: Sendable {
  associatedtype ParentState: JSONCodable
  associatedtype ParentAction: JSONCodable & CasePathable

  /// The wire name of the action's case: the component of the path.
  var name: String { get }
  /// Whether it, or anything below it, comes and goes.
  var isDynamic: Bool { get }

  /// Whether the child, or one below it, reads what others share.
  var hasReads: Bool { get }

  /// Whether the child, or one below it, has cases that only it sends.
  var hasInternalCases: Bool { get }

  /// The internal case of the child, or of one below it, to which an action leads; `below` begins
  /// below `name`.
  func internalCase(
    _ below: ArraySlice<String>, _ name: String?, at parent: Path
  ) -> InternalCase?

  /// Runs the levels from the record's up to this mount's; `depth` is that of `name`.
  /// - Returns: the parent's action around the child's, if somebody above wants it.
  func run(
    _ state: inout ParentState, depth: Int, placement: Placement?, wantsAction: Bool,
    _ stage: inout StageRun
  ) throws(UndecodableError) -> ParentAction?

  /// The parent's action, from types alone.
  func decode(depth: Int, _ stage: StageRun) throws(UndecodableError) -> ParentAction

  /// The address and payload of an action that belongs to the child; nil when it doesn't.
  func address(_ action: ParentAction, at parent: Path) -> (path: Path, payload: Bytes)?

  /// The owner of what comes in the cases, below the child; nil when that depends on an element.
  func owner(of cases: ArraySlice<String>, at parent: Path) -> (path: Path, cases: [String])?

  /// Appends the mounts that differ. With `isReplaced` something above was replaced, so those that
  /// are the same are told too.
  func compareMounts(
    _ before: ParentState?, _ after: ParentState?, at parent: Path, isReplaced: Bool,
    into changes: inout [MountChange])

  /// The changes of placed children alone.
  func placedDifference(
    from old: ParentState, to new: ParentState, _ placement: Placement,
    into patch: inout PatchBuilder)

  func describe(in parent: LevelDescription, into description: inout TreeDescription)

  /// The program of a placed scope at or below the child.
  func node(
    at path: ArraySlice<String>, _ request: NodeRequest
  ) throws(UndecodableError) -> any NodeProgram

  /// The oracle's way through this mount; `path` begins below `name`. Without a state nothing is
  /// mounted, and only the action is made for the levels above.
  func replay(
    _ state: inout ParentState, below path: ArraySlice<String>, at parent: Path,
    wantsAction: Bool, _ stage: inout ReplayStage
  ) throws(UndecodableError) -> ParentAction?

  /// The action for the levels above, as nothing is mounted here.
  func replayUnmounted(
    below path: ArraySlice<String>, at parent: Path, _ stage: ReplayStage
  ) throws(UndecodableError) -> ParentAction

  /// What the levels on the way to a record read; `path` begins below `name`.
  func collectReads(
    below path: ArraySlice<String>, _ placement: Placement?, into reads: inout [SharedRead])

  /// The value that an owner at or below the child shares; nil when it is not there.
  func sharedValue(
    _ read: SharedRead, below path: ArraySlice<String>, in parent: ParentState
  ) -> (any Sendable)?

  /// Whether the owner's state is of the declared type, and always there.
  func owns(_ read: SharedRead, below path: ArraySlice<String>) -> Bool

  /// Everything that is read at the child and below.
  func listReads(into reads: inout [SharedName: SharedRead])

  /// The oracle's list of what is mounted here and below.
  func listMounts(_ state: ParentState, at parent: Path, into list: inout [Path: String])
}

/// What the tree's description collects.
package struct TreeDescription {
  var levels: [LevelDescription] = []
  /// Of the same levels, by their paths.
  var features: [Path: Composition.Feature] = [:]
  /// What is at and below each level that repeats one, to be compared with that.
  var repeats: [Repeat] = []
  /// Whether this describes such a level; then what repeats is not gone into once more.
  var isOfRepeat = false
  var shape = JSONShape()
  /// Levels whose states are stored, a parent before its children.
  var stored: [StateMigration.Step] = []

  /// The nearest level above a path that is of a feature.
  func place(of feature: Composition.Feature, above path: Path) -> Path? {
    levels.last { features[$0.path] == feature && $0.path.contains(path) }?.path
  }

  /// Writes into each level how its state is encoded, without those of the levels below that have
  /// versions of their own. What has none, as an enum, is a matter of the level above.
  mutating func describeShapes() {
    let types = Set(stored.filter { $0.migrate != nil }.map(\.type))
    for step in stored where step.migrate != nil || step.index == 0 {
      levels[step.index].shape = step.shape(types)
    }
  }
}
