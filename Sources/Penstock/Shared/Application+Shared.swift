extension Application {
  /// Stops at a reader whose value nobody can give: a mistake of composition.
  func checkReads() {
    var reads: [SharedName: SharedRead] = [:]
    root.listReads(into: &reads)
    for read in reads.values.sorted(by: { $0.name < $1.name }) {
      if let obstacle = obstacle(to: read) {
        preconditionFailure("\(read.name) can't be shared: \(obstacle)")
      }
    }
  }

  /// Why a value can't be read.
  package func obstacle(to read: SharedRead) -> String? {
    let owner = read.name.path
    guard description.levels.contains(where: { $0.path == owner }),
      let level = description.level(addressed: owner)
    else {
      return "\(description.name) has no feature at \(owner); it has "
        + description.levels.map(\.path.description).joined(separator: " ")
    }
    if let obstacle = level.placementObstacle { return obstacle }
    for above in Swift.sequence(first: owner, next: \.parent) {
      switch description.level(addressed: above)?.kind {
      case .optional, .enumCase, .collection:
        return "\(above) is not always there, and a reader needs a value"
      case .root, .scope, nil: continue
      }
    }
    guard root.owns(read, below: owner.components[...]) else {
      return "the state of \(owner) is not a \(read.ownerName)"
    }
    let place = level.statePath + [read.name.field]
    if let child = description.levels.first(where: { $0.statePath.starts(with: place) }) {
      return "the field holds the state of \(child.path); share a field of that feature"
    }
    return nil
  }

  /// What the levels on the way to a record read, as the state has it now (R15).
  func sharedValues(
    for path: Path, in state: App.Root.State, _ replacements: InputReplacements?
  ) throws(UnsharedValue) -> [SharedName: any Sendable] {
    guard root.hasReads else { return [:] }
    var reads: [SharedRead] = []
    root.collectReads(below: path.components[...], nil, into: &reads)
    var values: [SharedName: any Sendable] = [:]
    for read in reads {
      let replacement: (any Sendable)? = replacements?.shared[read.name]
      let value: (any Sendable)? =
        replacement != nil
        ? replacement : root.sharedValue(read, below: read.name.path.components[...], in: state)
      guard let value else { throw UnsharedValue(path: path, name: read.name) }
      values[read.name] = value
    }
    return values
  }
}
