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

  private let levels:
    [(level: LevelDescription, migrate: (@Sendable (Bytes, Int) throws -> Bytes)?)]

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
    levels = tree.stored.map { (tree.levels[$0.index], $0.migrate) }
  }

  /// - Throws: with all that is in the way, and the ways out.
  func migrated(
    _ state: Bytes, from old: ApplicationDescription
  ) throws(UndecodableError) -> Bytes {
    var obstacles: [String] = []
    var state = state
    var due: [(LevelDescription, Int, (Bytes, Int) throws -> Bytes)] = []
    for (level, migrate) in levels {
      guard let before = old.levels.first(where: { $0.path == level.path }) else { continue }
      if before.version > level.version {
        obstacles.append(
          "\(level.path) was stored by version \(before.version), this build has \(level.version)")
      } else if before.version == level.version {
        let changes = ShapeDifference(from: before.shape, to: level.shape).changes
        if changes.isEmpty { continue }
        obstacles.append(
          "\(level.path) (version \(level.version)): \(changes.joined(separator: ", "))")
      } else if let migrate {
        due.append((level, before.version, migrate))
      }
    }
    guard obstacles.isEmpty else { throw refusal(obstacles) }
    // Parents first: what they name or make is there for their children.
    for (level, version, migrate) in due {
      do {
        state = try JSONScan.replacing(at: level.statePath[...], in: state) {
          try migrate($0, version)
        }
      } catch {
        throw UndecodableError(
          "the state of \(level.path) can't be migrated from version \(version): \(error)")
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
