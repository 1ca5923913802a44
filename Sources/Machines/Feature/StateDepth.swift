import PenstockCore

/// Finds out when a state nests deeper than JSON is read, from the difference that an action makes.
///
/// A node whose types bound how deep its state nests is not looked at.
struct StateDepth {
  /// Arrays and objects of the root's state around the node's.
  let around: Int

  init?(of program: some NodeProgram) {
    guard let around = program.unboundedDepth else { return nil }
    self.around = around
  }

  /// Why a state with this difference can't be; nil when it can.
  func excess(of path: Path, _ difference: Patch) -> String? {
    let bound = JSONReader.maximumDepth
    for operation in difference.operations {
      var depth = around + operation.path.count
      switch operation.change {
      case .set(let value), .insert(let value, _):
        // A value can't nest deeper than it is long.
        if depth + value.count > bound { depth += JSONScan.depth(of: value) }
      case .remove, .move: break
      }
      if depth > bound {
        return "the state of \(path) nests \(depth) deep, at most \(bound)"
      }
    }
    return nil
  }
}
