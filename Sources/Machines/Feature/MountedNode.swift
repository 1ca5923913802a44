package import PenstockCore

/// A program with its present state, types erased: what the host does around it costs the same for
/// every type of state. A copy is a snapshot; the state itself is copied when one of the two changes.
protocol MountedNode: Sendable {
  mutating func reduce(_ input: StageInput) throws(UndecodableError) -> Transition
  mutating func apply(_ patch: Patch) throws(UndecodableError)
  func encodeOwn() -> Bytes
  /// - Parameter old: a mounted node of the same program.
  func ownDifference(from old: any MountedNode) -> Patch
  /// - Parameter old: a mounted node of the same program.
  func difference(from old: any MountedNode) -> Patch
}

struct TypedNode<Program: NodeProgram>: MountedNode {
  private let program: Program
  private var state: Program.State

  init(_ program: Program, decoding bytes: Bytes) throws(UndecodableError) {
    self.program = program
    state = try program.decode(bytes)
  }

  mutating func reduce(_ input: StageInput) throws(UndecodableError) -> Transition {
    try program.reduce(&state, input)
  }

  mutating func apply(_ patch: Patch) throws(UndecodableError) {
    try program.apply(patch, to: &state)
  }

  func encodeOwn() -> Bytes { program.encodeOwn(state) }

  func ownDifference(from old: any MountedNode) -> Patch {
    program.ownDifference(from: typed(old).state, to: state)
  }

  func difference(from old: any MountedNode) -> Patch {
    program.difference(from: typed(old).state, to: state)
  }

  private func typed(_ other: any MountedNode) -> TypedNode {
    guard let other = other as? TypedNode else { preconditionFailure("another program's state") }
    return other
  }
}

extension NodeProgram {
  func mounted(_ bytes: Bytes) throws(UndecodableError) -> any MountedNode {
    try TypedNode(self, decoding: bytes)
  }

  func migrated(_ state: Bytes, from description: Bytes) throws(UndecodableError) -> (
    state: Bytes, mounts: [MountChange]
  ) {
    let old: ApplicationDescription
    do {
      old = try JSONReader.decode(from: description)
    } catch {
      throw UndecodableError("the description of the stored states can't be read: \(error)")
    }
    let state = try migrate(state, from: old)
    return (encode(state), mounts(in: state))
  }

  package func initial(now: Int64, seed: UInt64) throws(UndecodableError) -> (
    state: Bytes, mounts: [MountChange]
  ) {
    let state = try makeInitialState(now: now, seed: seed)
    return (encode(state), mounts(in: state))
  }
}
