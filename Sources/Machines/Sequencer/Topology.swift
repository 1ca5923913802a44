package import PenstockCore

/// The application's levels, and which of them are processes. Knows shapes and names, no types.
package struct Topology: Sendable {
  /// A placed scope.
  package struct Node: Sendable {
    package var path: Path
    package var statePath: [String]
    /// Indices of the placed scopes above it, nearest first.
    package var ancestors: [Int]
    /// Indices of the placed scopes below it.
    package var descendants: [Int]
    /// Whether a level of this process has logic, so that it reads its children's states.
    package var hasLogic: Bool
    /// Whether an ancestor can write to it.
    package var hasWriter: Bool
    /// Of this scope and those above it, the ones to which somebody can write.
    package internal(set) var written: [Int] = []
    /// Whether an ancestor reads its state, or somebody what it shares.
    package internal(set) var hasReader: Bool
    /// The state path from each ancestor, in the order of `ancestors`.
    package var relativePaths: [[String]]
  }

  /// A value that a feature shares with readers in other processes (R15).
  package struct Shared: Sendable {
    package var name: SharedName
    /// The node of the owner.
    package var owner: Int
    /// Member names from the root's state to the field.
    package var statePath: [String]
    /// The nodes that can change it: the owner's, and those above that have logic.
    package var writers: [Int]
  }

  /// What the levels of one node read on the way to a path: places in `shared`.
  struct Reads: Sendable {
    var node: Int
    var shared: [Int]
  }

  /// A level in the tree of names; an element is the child `*`.
  private struct Level: Sendable {
    var description: LevelDescription?
    /// Of the level that it repeats, they are that one's.
    var children: [String: Int] = [:]
  }

  package let description: ApplicationDescription
  /// A parent stands before its children; the first is the root.
  package internal(set) var nodes: [Node]
  /// What is read across processes.
  package internal(set) var shared: [Shared] = []
  private var levels: [Level] = [Level()]
  private let hasInternalCases: Bool

  /// - Throws: `Refusal` when a placed path is unknown or can't be placed.
  package init(description: ApplicationDescription, placement: [Path]) throws(PlacementError) {
    self.description = description
    hasInternalCases = description.hasInternalCases
    for level in description.levels {
      var index = 0
      for component in level.path.components {
        if let next = levels[index].children[component] {
          index = next
        } else {
          levels.append(Level())
          levels[index].children[component] = levels.count - 1
          index = levels.count - 1
        }
      }
      levels[index].description = level
    }
    for index in levels.indices {
      guard let above = levels[index].description?.repeats else { continue }
      levels[index].children = levels.first { $0.description?.path == above }?.children ?? [:]
    }
    var placed: [LevelDescription] = []
    for path in Set(placement).union([.root]).sorted(by: {
      ($0.components.count, $0) < ($1.components.count, $1)
    }) {
      guard let level = description.levels.first(where: { $0.path == path }) else {
        throw PlacementError(
          "\(path) can't be a process: \(description.name) has no scope of that path; it has "
            + description.levels.map(\.path.description).joined(separator: " "))
      }
      if let obstacle = level.placementObstacle {
        throw PlacementError("\(path) can't be a process: \(obstacle)")
      }
      placed.append(level)
    }
    var nodes = placed.enumerated().map { index, level in
      let ancestors = placed.indices.filter { $0 != index && placed[$0].path.contains(level.path) }
        .sorted { placed[$0].path.components.count > placed[$1].path.components.count }
      let descendants = placed.indices.filter {
        $0 != index && level.path.contains(placed[$0].path)
      }
      func ownLevels(of owner: Int) -> [LevelDescription] {
        description.levels.filter { candidate in
          placed[owner].path.contains(candidate.path)
            && !placed.indices.contains {
              $0 != owner && placed[owner].path.contains(placed[$0].path)
                && placed[$0].path.contains(candidate.path)
            }
        }
      }
      return Node(
        path: level.path, statePath: level.statePath, ancestors: ancestors,
        descendants: descendants,
        hasLogic: ownLevels(of: index).contains { $0.hasLogic },
        hasWriter: ancestors.contains { ancestor in
          ownLevels(of: ancestor).contains {
            $0.hasLogic && $0.writesChildren && $0.path.contains(level.path)
          }
        },
        hasReader: ancestors.contains { ancestor in
          ownLevels(of: ancestor).contains { $0.hasLogic && $0.path.contains(level.path) }
        },
        relativePaths: ancestors.map {
          Array(level.statePath.dropFirst(placed[$0].statePath.count))
        })
    }
    for index in nodes.indices {
      nodes[index].written = ([index] + nodes[index].ancestors).filter { nodes[$0].hasWriter }
    }
    self.nodes = nodes
    try findShared()
  }

  /// The internal case to which a client's action leads; nil when it may be admitted.
  package func internalCase(_ path: Path, _ payload: Bytes) -> InternalCase? {
    hasInternalCases ? description.internalCase(path, payload) : nil
  }

  package func index(of path: Path) -> Int? { nodes.firstIndex { $0.path == path } }

  /// Where a record's stages are.
  package struct Route: Equatable, Sendable {
    /// Indices of nodes, lowest first: the owner, then the ancestors whose logic observes it.
    package var stages: [Int]
    package var isUnmounted: Bool
    /// The node that would own the action if everything were mounted.
    package var owner: Int
    /// It is the same whatever is mounted.
    package var isFixed = false
  }

  /// What is fixed about a path: the levels on the way to it, and its route when all is mounted.
  package struct Way: Sendable {
    var owner: Int
    /// The levels with the node that each runs in.
    fileprivate var steps: [(step: Step, node: Int)]
    /// Optionals, cases and elements on the way.
    var dynamic: [Path]
    /// The route when everything is mounted; nil when it depends on the action.
    var whenMounted: Route?
    /// What is read on the way, of features in other processes.
    var reads: [Reads] = []
    /// Routes when everything is mounted, by the action's name.
    fileprivate var routes: [(action: ArraySlice<UInt8>, route: Route)] = []
    /// Whether the path is that of a level without children.
    var isLeaf = false
  }

  package func way(to path: Path) -> Way {
    let steps = levelsOnTheWay(to: path).map { (step: $0, node: owner(of: $0.path)) }
    let dynamic = steps.filter { $0.step.isDynamic }.map { $0.step.path }
    var way = Way(owner: owner(of: path), steps: steps, dynamic: dynamic)
    if !shared.isEmpty { way.reads = reads(steps.map { (level: $0.step.level, node: $0.node) }) }
    way.isLeaf = steps.last.map { $0.step.path == path && $0.step.isLeaf } ?? false
    if steps.allSatisfy({ $0.step.level.observes == nil }) {
      way.whenMounted = route(way, path, action: nil, missing: nil)
    }
    return way
  }

  /// - Parameter isMounted: asked for each optional, case and element on the way.
  package func route(
    _ way: inout Way, _ path: Path, payload: Bytes, isMounted: (Path) -> Bool
  ) -> Route {
    if !way.dynamic.isEmpty, let missing = way.dynamic.first(where: { !isMounted($0) }) {
      return route(way, path, action: JSONScan.firstKey(of: payload)?.key, missing: missing)
    }
    if let route = way.whenMounted { return route }
    guard let name = JSONScan.caseName(of: payload) else {
      return route(way, path, action: JSONScan.firstKey(of: payload)?.key, missing: nil)
    }
    if let known = way.routes.first(where: { $0.action == name }) { return known.route }
    let route = route(way, path, action: String(decoding: name, as: UTF8.self), missing: nil)
    // An application has few actions; who makes names up is not remembered.
    if way.routes.count < Self.routesLimit { way.routes.append((ArraySlice(Array(name)), route)) }
    return route
  }

  private static var routesLimit: Int { 64 }

  private func route(_ way: Way, _ path: Path, action: String?, missing: Path?) -> Route {
    let stages = ([way.owner] + nodes[way.owner].ancestors).filter { index in
      if let missing, missing.contains(nodes[index].path) { return false }
      if missing == nil, index == way.owner { return true }
      return way.steps.contains { step, node in
        node == index && !(missing?.contains(step.path) ?? false)
          && Self.observes(step.level, step.path, path, action)
      }
    }
    return Route(
      stages: stages, isUnmounted: missing != nil, owner: way.owner,
      isFixed: way.dynamic.isEmpty)
  }

  /// The node in whose process a path's level runs.
  package func owner(of path: Path) -> Int {
    var owner = 0
    for (index, node) in nodes.enumerated()
    where node.path.contains(path)
      && node.path.description.utf8.count >= nodes[owner].path.description.utf8.count
    { owner = index }
    return owner
  }

  private static func observes(
    _ level: LevelDescription, _ levelPath: Path, _ path: Path, _ action: String?
  ) -> Bool {
    guard level.hasLogic else { return false }
    guard let chains = level.observes, levelPath != path else { return true }
    let way = (levelPath.components(to: path) ?? []) + (action.map { [$0] } ?? [])
    return chains.contains { chain in zip(chain, way).allSatisfy { $0 == $1 } }
  }

  fileprivate struct Step: Sendable {
    var path: Path
    var level: LevelDescription
    /// Member names from the root's state, with ids.
    var statePath: [String]
    var isDynamic: Bool
    var isLeaf: Bool
  }

  /// The levels on the way to a path, the root first, with concrete element ids.
  private func levelsOnTheWay(to path: Path) -> [Step] {
    var index = 0
    var concrete = Path.root
    var id = ""
    var steps: [Step] = []
    func record() {
      guard let level = levels[index].description else { return }
      let isDynamic =
        level.kind == .optional || level.kind == .enumCase || level.kind == .collection
      steps.append(
        Step(
          path: concrete, level: level,
          statePath: statePath(of: level, below: steps.last, id: id), isDynamic: isDynamic,
          isLeaf: levels[index].children.isEmpty))
    }
    record()
    if path.isRoot { return steps }
    for component in path.components {
      guard let next = levels[index].children[component] ?? levels[index].children["*"] else {
        break
      }
      index = next
      id = component
      concrete = concrete.appending(component)
      record()
    }
    return steps
  }

  /// A level's members follow on those of the one above it, which may repeat one that is higher.
  private func statePath(of level: LevelDescription, below step: Step?, id: String) -> [String] {
    guard let step else { return level.statePath }
    let above = step.level.repeats.flatMap { repeated in
      levels.first { $0.description?.path == repeated }?.description
    }
    let own = level.statePath.dropFirst((above ?? step.level).statePath.count)
    return step.statePath + own.map { $0 == "*" ? id : $0 }
  }

  /// Member names from the root's state to the state of a concrete path; nil for an unknown path.
  package func statePath(of path: Path) -> [String]? {
    guard let step = levelsOnTheWay(to: path).last, step.path == path else { return nil }
    return step.statePath
  }
}

/// A placement that the application does not allow, with the reason.
package struct PlacementError: Error, Equatable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}
