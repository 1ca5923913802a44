import PenstockCore

extension Topology {
  /// Lists what some process reads of a feature in another one.
  /// - Throws: when a reader's owner is unknown.
  mutating func findShared() throws(PlacementError) {
    for level in description.levels {
      for name in level.reads where !shared.contains(where: { $0.name == name }) {
        let owner = self.owner(of: name.path)
        if placesOfRunning(level) == [owner] { continue }
        guard let statePath = statePath(of: name.path) else {
          throw PlacementError(
            "\(level.path) reads \(name), and \(description.name) has no scope of that path")
        }
        shared.append(
          Shared(
            name: name, owner: owner, statePath: statePath + [name.field],
            writers: [owner] + nodes[owner].ancestors.filter { nodes[$0].hasLogic }))
        nodes[owner].hasReader = true
      }
    }
  }

  /// The nodes in which a level runs: its own, and that of each level that repeats one at or above
  /// it, by however many repetitions.
  private func placesOfRunning(_ level: LevelDescription) -> Set<Int> {
    var places: Set<Int> = []
    var paths = [level.path]
    var known = Set(paths)
    while let path = paths.popLast() {
      places.insert(owner(of: path))
      for again in description.levels
      where again.repeats?.contains(path) == true && known.insert(again.path).inserted {
        paths.append(again.path)
      }
    }
    return places
  }

  /// What each node reads for the levels on a way. A feature of its own process it asks itself.
  func reads(_ steps: [(level: LevelDescription, node: Int)]) -> [Reads] {
    var reads: [Reads] = []
    for (level, node) in steps {
      for place in shared.indices
      where shared[place].owner != node && level.reads.contains(shared[place].name) {
        if let known = reads.firstIndex(where: { $0.node == node }) {
          if !reads[known].shared.contains(place) { reads[known].shared.append(place) }
        } else {
          reads.append(Reads(node: node, shared: [place]))
        }
      }
    }
    return reads
  }
}
