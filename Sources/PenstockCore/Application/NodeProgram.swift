/// One placed scope with its types erased: what a feature process runs. Pure.
///
/// A program covers the scope at `path` and everything below it up to the next placed scopes; of those
/// its state holds mirrors, and their reducers do not run here.
package protocol NodeProgram<State>: Sendable {
  associatedtype State: Sendable

  var path: Path { get }
  /// The arrays and objects of the root's state in which this node's stands; nil when the types of
  /// its state bound how deep that nests.
  var unboundedDepth: Int? { get }

  /// The root's initial state, for record 0. Other nodes get theirs by being mounted.
  func makeInitialState(now: Int64, seed: UInt64) throws(UndecodableError) -> State
  /// A state of an older schema as this build has it (J-14); only the root does that.
  func migrate(
    _ state: Bytes, from description: ApplicationDescription
  ) throws(UndecodableError) -> State
  func decode(_ bytes: Bytes) throws(UndecodableError) -> State
  /// The whole state, mirrors included.
  func encode(_ state: State) -> Bytes
  /// The state without its placed children: of each one that is present an empty object stands there.
  func encodeOwn(_ state: State) -> Bytes
  func apply(_ patch: Patch, to state: inout State) throws(UndecodableError)
  /// What turns `old` into `new`, placed children left out as in `encodeOwn`.
  func ownDifference(from old: State, to new: State) -> Patch
  /// What turns `old` into `new`, placed children included.
  func difference(from old: State, to new: State) -> Patch
  /// All dynamic mounts that the state holds, as changes from "not mounted".
  func mounts(in state: State) -> [MountChange]
  /// Reduces the record at this node: the levels of this process on the way from the record's path up
  /// to `path`, lowest first. Below a placed child or a missing mount nothing runs.
  func reduce(_ state: inout State, _ input: StageInput) throws(UndecodableError) -> Transition
}

extension NodeProgram {
  package var unboundedDepth: Int? { nil }

  package func difference(from old: State, to new: State) -> Patch {
    ownDifference(from: old, to: new)
  }

  package func migrate(
    _ state: Bytes, from description: ApplicationDescription
  ) throws(UndecodableError) -> State {
    throw UndecodableError("\(path) can't read a state of another schema")
  }
}
