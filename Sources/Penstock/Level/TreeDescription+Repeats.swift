/// Whether what repeats a level is composed as that is.
///
/// A feature is taken for one above it by its types. Another feature can have the same ones; what is
/// below it would then be looked up in the description of the first one, and not be there.
extension TreeDescription {
  /// A level that repeats one above it, and what is below.
  struct Repeat: Sendable {
    /// The level itself is the first.
    var levels: [LevelDescription]
    var features: [Path: Composition.Feature]
  }

  var asRepeat: Repeat { Repeat(levels: levels, features: features) }

  /// Where a repeated feature is composed otherwise, and what to do; nil when none is.
  var obstacleToRepeating: String? {
    for again in repeats {
      let path = again.levels[0].path
      guard let first = again.levels[0].repeats,
        let difference = difference(of: again, at: path, from: first)
      else { continue }
      return """
        \(path) has the State and Action of \(first), so it is taken for that feature once more, and \
        it is composed otherwise: \(difference). What is below it is found by the description of \
        \(first). Compose both alike, or give one of the two an Action of its own.
        """
    }
    return nil
  }

  private func difference(of again: Repeat, at path: Path, from first: Path) -> String? {
    let mounts = Self.mounts(at: first, levels)
    let others = Self.mounts(at: path, again.levels)
    let (names, otherNames) = (mounts.map(\.name), others.map(\.name))
    if names.sorted() != otherNames.sorted() {
      return "\(first) mounts \(Self.list(names)), \(path) mounts \(Self.list(otherNames))"
    }
    for mount in mounts {
      guard let other = others.first(where: { $0.name == mount.name })?.level else { continue }
      let (place, otherPlace) = (mount.level.path, other.path)
      let isSame = features[place] == again.features[otherPlace]
      if !isSame || mount.level.form(below: first, levels) != other.form(below: path, again.levels)
      {
        return "\(otherPlace) is another feature than \(place), or mounted otherwise"
      }
      if mount.level.reads != other.reads {
        return """
          \(place) reads \(Self.list(mount.level.reads.map(\.description))), \(otherPlace) reads \
          \(Self.list(other.reads.map(\.description)))
          """
      }
      if mount.level.repeats != nil || other.repeats != nil { continue }
      if let found = difference(of: again, at: otherPlace, from: place) { return found }
    }
    return nil
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "nothing" : names.joined(separator: " ")
  }

  /// The levels right below one; an element's name is its collection's.
  private static func mounts(
    at path: Path, _ levels: [LevelDescription]
  ) -> [(name: String, level: LevelDescription)] {
    levels.compactMap { level in
      guard let below = path.components(to: level.path), let name = below.first,
        below.count == (level.kind == .collection ? 2 : 1)
      else { return nil }
      return (name, level)
    }
  }
}

/// What has to be the same about two levels that one description stands for.
private struct LevelForm: Equatable {
  var kind: LevelDescription.Kind
  var members: ArraySlice<String>
  var hasLogic: Bool
  var writesChildren: Bool
  var observes: [[String]]?
  var wrapping: [String]
}

extension LevelDescription {
  fileprivate func form(below parent: Path, _ levels: [LevelDescription]) -> LevelForm {
    let above = levels.first { $0.path == parent }?.statePath.count ?? 0
    return LevelForm(
      kind: kind, members: statePath.dropFirst(above), hasLogic: hasLogic,
      writesChildren: writesChildren, observes: observes, wrapping: wrapping)
  }
}
