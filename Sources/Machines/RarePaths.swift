/// How often rare paths were reached.
package struct RarePaths: Hashable, Sendable {
  private var counts: [RarePath: Int] = [:]

  package init() {}

  package subscript(path: RarePath) -> Int { counts[path] ?? 0 }

  package mutating func reach(_ path: RarePath) { counts[path, default: 0] += 1 }

  package mutating func add(_ other: RarePaths) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Those that were never reached.
  package var missed: [RarePath] { RarePath.allCases.filter { self[$0] == 0 } }
}
