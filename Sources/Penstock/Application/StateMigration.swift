/// Brings a state that another build stored to this build's schema (J-14).
struct StateMigration: Sendable {
  /// A level whose state is stored.
  struct Step: Sendable {
    /// Where it stands in the description.
    var index: Int
    var type: ObjectIdentifier
    var shape: @Sendable (Set<ObjectIdentifier>) -> String
    var migrate: (@Sendable (Bytes, Int) throws -> Bytes)?
  }

  private struct Level: Sendable {
    var description: LevelDescription
    var migrate: (@Sendable (Bytes, Int) throws -> Bytes)?
    /// Indices of the levels right below; a level that repeats another has none of its own.
    var children: [Int] = []
  }

  /// A level, and what it was in the build that stored it; of one that repeats another, that.
  private struct Origin: Hashable {
    var level: Int
    var stored: Path
  }

  private typealias Due = [Origin: (version: Int, migrate: @Sendable (Bytes, Int) throws -> Bytes)]

  /// A parent before its children.
  private let levels: [Level]

  static func migration(
    to state: any ObservableState.Type
  ) -> @Sendable (Bytes, Int) throws -> Bytes {
    { bytes, version in
      var fields = try StoredFields(bytes)
      try state.migrate(&fields, from: version)
      return fields.bytes
    }
  }

  init(_ tree: TreeDescription) {
    var levels = tree.stored.map { Level(description: tree.levels[$0.index], migrate: $0.migrate) }
    for index in levels.indices.dropFirst() {
      let path = levels[index].description.path
      let parent = levels[..<index].lastIndex { $0.description.path.contains(path) } ?? 0
      levels[parent].children.append(index)
    }
    self.levels = levels
  }

  /// - Throws: with all that is in the way, and the ways out.
  func migrated(
    _ state: Bytes, from old: ApplicationDescription
  ) throws(UndecodableError) -> Bytes {
    var obstacles: [String] = []
    var due: Due = [:]
    let root = Origin(level: 0, stored: .root)
    var origins = [root]
    var known: Set<Origin> = [root]
    var places = [levels[0].description.path]
    var next = 0
    while next < origins.count {
      let (origin, path) = (origins[next], places[next])
      next += 1
      if let before = old.levels.first(where: { $0.path == origin.stored }) {
        compare(origin, at: path, with: before, &obstacles, &due)
      }
      for child in levels[origin.level].children {
        guard let below = self.origin(of: child, below: origin, old), known.insert(below).inserted
        else { continue }
        origins.append(below)
        places.append(levels[child].description.path)
      }
    }
    guard obstacles.isEmpty else { throw refusal(obstacles) }
    return due.isEmpty ? state : try migrated(state, root, at: .root, due, old)
  }

  private func compare(
    _ origin: Origin, at path: Path, with before: LevelDescription, _ obstacles: inout [String],
    _ due: inout Due
  ) {
    let level = levels[origin.level].description
    if before.version > level.version {
      obstacles.append(
        "\(path) was stored by version \(before.version), this build has \(level.version)")
    } else if before.version == level.version {
      let changes = ShapeDifference(from: before.shape, to: level.shape).changes
      if changes.isEmpty { return }
      obstacles.append("\(path) (version \(level.version)): \(changes.joined(separator: ", "))")
    } else if let migrate = levels[origin.level].migrate {
      due[origin] = (before.version, migrate)
    }
  }

  /// What a child was; nil when it was not there.
  private func origin(
    of child: Int, below parent: Origin, _ old: ApplicationDescription
  ) -> Origin? {
    let description = levels[child].description
    guard let way = levels[parent.level].description.path.components(to: description.path),
      let stored = old.level(addressed: parent.stored.appending(contentsOf: way))
    else { return nil }
    let level = description.repeats.flatMap { above in
      levels.firstIndex { $0.description.path == above }
    }
    return Origin(level: level ?? child, stored: stored.repeats ?? stored.path)
  }

  /// The state of a level, then those of its children: what a parent names or makes is there for them.
  private func migrated(
    _ state: Bytes, _ origin: Origin, at path: Path, _ due: Due, _ old: ApplicationDescription
  ) throws(UndecodableError) -> Bytes {
    var state = state
    let level = levels[origin.level].description
    if let (version, migrate) = due[origin] {
      do {
        state = try migrate(state, version)
      } catch {
        throw UndecodableError(
          "the state of \(path) can't be migrated from version \(version): \(error)")
      }
    }
    for child in levels[origin.level].children {
      guard let below = self.origin(of: child, below: origin, old) else { continue }
      let description = levels[child].description
      do {
        state = try JSONScan.replacing(
          at: description.statePath.dropFirst(level.statePath.count), in: state
        ) {
          try migrated($0, below, at: description.path, due, old)
        }
      } catch let error as UndecodableError {
        throw error
      } catch {
        throw UndecodableError("the state of \(description.path) can't be migrated: \(error)")
      }
    }
    return state
  }

  private func refusal(_ obstacles: [String]) -> UndecodableError {
    UndecodableError(
      "the journal has states of another schema. \(obstacles.joined(separator: "; ")). Raise the "
        + "State's version (static let version) and write static func migrate(_:from:); or start the "
        + "build that wrote them; or name another journal with --journal FILE")
  }
}
