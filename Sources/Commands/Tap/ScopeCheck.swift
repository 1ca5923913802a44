/// Whether an application has scopes where a tap is to look, by its description.
package struct ScopeCheck: Sendable {
  private let scopes: [String]
  /// The scopes' paths by names.
  private let patterns: [[Substring]]
  /// Below which scope a feature that comes again goes on, by its own path.
  private let repeats: [[Substring]: [Substring]]

  /// - Parameter answer: the router's to `describe`.
  package init(_ answer: JSONValue) {
    let levels = answer["description"]["levels"].elements
    scopes = levels.compactMap { $0["path"].text }
    patterns = scopes.map { $0.split(separator: "/") }
    var repeats: [[Substring]: [Substring]] = [:]
    for level in levels {
      guard let path = level["path"].text, let first = level["repeats"].text else { continue }
      repeats[path.split(separator: "/")] = first.split(separator: "/")
    }
    self.repeats = repeats
  }

  /// Those of the paths at or below which there is no scope, whatever is mounted.
  package func unknown(of paths: [String]) -> [String] {
    paths.filter { !isKnown($0) }
  }

  /// What is said about one that is unknown.
  package func details(of path: String) -> String {
    if let near = EditDistance.nearest(to: path, in: scopes) { return "Did you mean \(near)?" }
    return "Its scopes: \(scopes.joined(separator: ", "))"
  }

  /// Whether the path, which may have stars, is a scope's or one above it, as deep as features
  /// repeat those above them.
  private func isKnown(_ path: String) -> Bool {
    let wanted = path.split(separator: "/")
    if wanted.contains(where: { $0.contains("**") }) { return true }
    var places: Set<[Substring]> = [[]]
    for name in wanted {
      let glob = Glob(String(name))
      var below: Set<[Substring]> = []
      for place in places {
        for pattern in patterns where pattern.count > place.count && pattern.starts(with: place) {
          let next = pattern[place.count]
          guard next == "*" || glob.matches(String(next)) else { continue }
          let path = place + [next]
          below.insert(repeats[path] ?? path)
        }
      }
      places = below
    }
    return !places.isEmpty
  }
}
