import PenstockCore

extension Patch {
  /// Makes one patch of this one and a newer one: what that one sets again, this one need not set.
  mutating func merge(_ newer: Patch) {
    for operation in newer.operations {
      if let place = Self.replaceable(operation, in: operations) {
        operations[place] = operation
      } else {
        operations.append(operation)
      }
    }
  }

  /// Where the same place is set already, with nothing after it that has to do with the place.
  private static func replaceable(
    _ operation: PatchOperation, in earlier: [PatchOperation]
  ) -> Int? {
    guard case .set = operation.change else { return nil }
    for place in earlier.indices.reversed().prefix(searched) {
      let other = earlier[place]
      if other.path == operation.path {
        // An insert sets too, and says where: only a plain setting is replaced.
        if case .set = other.change { return place }
        return nil
      }
      if other.path.starts(with: operation.path) || operation.path.starts(with: other.path) {
        return nil
      }
      switch other.change {
      case .set: continue
      // A member that comes, goes or moves concerns its neighbours.
      case .insert, .remove, .move: return nil
      }
    }
    return nil
  }

  /// The cost of merging must not grow with what is merged.
  private static var searched: Int { 16 }
}
