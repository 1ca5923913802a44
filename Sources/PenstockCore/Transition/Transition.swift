/// What a stage did: everything that follows from reducing one record at one node.
public struct Transition: Hashable, Sendable {
  /// Changes of the node's whole state tree, mirrors of placed children included, from the node.
  public var patch = Patch()
  public var mounts: [MountChange] = []
  /// In written order, a child's before its parent's.
  public var sends: [Send] = []
  public var effects: [EffectCommand] = []
  /// Human sentences about a missing integration (a child action while the child is absent, …).
  public var diagnostics: [String] = []

  public init() {}

  /// Nothing but changes of the state, or not even those.
  package var hasOnlyPatch: Bool {
    mounts.isEmpty && sends.isEmpty && effects.isEmpty && diagnostics.isEmpty
  }
}
