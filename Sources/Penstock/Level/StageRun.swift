/// One record on its way through the levels of one node.
package struct StageRun: Sendable, EffectRecorder {
  let input: StageInput
  let inputs: TransitionInputs
  /// The record's path below the node's.
  let components: [String]
  private let nodeDepth: Int
  /// Changes of the node's state; its path follows the level.
  var patch = PatchBuilder()
  /// Above 0 inside a mount over computed state, whose changes its parent tells.
  var patchSuspensions = 0
  var mounts: [MountChange] = []
  var sends: [Send] = []
  var effects: [EffectCommand] = []
  var diagnostics: [String] = []
  /// What takes away the innermost presented feature around the level that runs.
  var dismissal: Send?

  init(
    _ input: StageInput, node: Path, nodeDepth: Int, inputs: TransitionInputs,
    dismissal: Send? = nil
  ) {
    self.input = input
    self.dismissal = dismissal
    self.inputs = inputs
    self.nodeDepth = nodeDepth
    components = input.path == node ? [] : Array(input.path.components.dropFirst(nodeDepth))
  }

  /// The path of the level that is `depth` components below the node.
  func path(at depth: Int) -> Path {
    depth == components.count ? input.path : input.path.prefix(nodeDepth + depth)
  }

  var wantsPatch: Bool { input.wantsPatch && patchSuspensions == 0 }

  func undecodable(_ depth: Int) -> UndecodableError {
    UndecodableError("There is no feature at \(path(at: depth)), to which \(input.path) leads")
  }

  var transition: Transition {
    var transition = Transition()
    transition.patch = Patch(patch.operations)
    transition.mounts = mounts
    transition.sends = sends
    transition.effects = effects
    transition.diagnostics = diagnostics
    return transition
  }
}

extension Path {
  /// The path of the first components.
  func prefix(_ count: Int) -> Path {
    if count == 0 { return .root }
    var slashes = 0
    for (offset, byte) in description.utf8.enumerated() where byte == UInt8(ascii: "/") {
      slashes += 1
      if slashes > count {
        return Path(canonical: String(description.utf8.prefix(offset)) ?? description)
      }
    }
    return self
  }
}
