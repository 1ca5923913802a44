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
    /// Indices of the levels right below; of one that repeats another, those of that.
    var children: [Int] = []
  }

  private typealias Due = [Int: (version: Int, migrate: @Sendable (Bytes, Int) throws -> Bytes)]

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
    for index in levels.indices {
      guard let above = levels[index].description.repeats else { continue }
      levels[index].children = levels.first { $0.description.path == above }?.children ?? []
    }
    self.levels = levels
  }

  /// - Throws: with all that is in the way, and the ways out.
  func migrated(
    _ state: Bytes, from old: ApplicationDescription
  ) throws(UndecodableError) -> Bytes {
    var obstacles: [String] = []
    var due: Due = [:]
    for (index, item) in levels.enumerated() where item.description.repeats == nil {
      let level = item.description
      guard let before = old.levels.first(where: { $0.path == level.path }) else { continue }
      if before.version > level.version {
        obstacles.append(
          "\(level.path) was stored by version \(before.version), this build has \(level.version)")
      } else if before.version == level.version {
        let changes = ShapeDifference(from: before.shape, to: level.shape).changes
        if changes.isEmpty { continue }
        obstacles.append(
          "\(level.path) (version \(level.version)): \(changes.joined(separator: ", "))")
      } else if let migrate = item.migrate {
        due[index] = (before.version, migrate)
      }
    }
    guard obstacles.isEmpty else { throw refusal(obstacles) }
    // The levels that repeat one are as old as that.
    for (index, item) in levels.enumerated() {
      guard let above = item.description.repeats else { continue }
      due[index] = levels.firstIndex { $0.description.path == above }.flatMap { due[$0] }
    }
    return due.isEmpty ? state : try migrated(state, at: 0, due)
  }

  /// The state of a level, then those of its children: what a parent names or makes is there for them.
  private func migrated(
    _ state: Bytes, at index: Int, _ due: Due
  ) throws(UndecodableError) -> Bytes {
    var state = state
    let level = levels[index].description
    if let (version, migrate) = due[index] {
      do {
        state = try migrate(state, version)
      } catch {
        throw UndecodableError(
          "the state of \(level.path) can't be migrated from version \(version): \(error)")
      }
    }
    let place =
      level.repeats.flatMap { above in
        levels.first { $0.description.path == above }?.description
      } ?? level
    for child in levels[index].children {
      let below = levels[child].description
      do {
        state = try JSONScan.replacing(
          at: below.statePath.dropFirst(place.statePath.count), in: state
        ) {
          try migrated($0, at: child, due)
        }
      } catch let error as UndecodableError {
        throw error
      } catch {
        throw UndecodableError("the state of \(below.path) can't be migrated: \(error)")
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
