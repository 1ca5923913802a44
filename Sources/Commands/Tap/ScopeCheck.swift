/// Whether an application has scopes where a tap is to look, by its description.
package struct ScopeCheck: Sendable {
  private let scopes: [String]

  /// - Parameter answer: the router's to `describe`.
  package init(_ answer: JSONValue) {
    scopes = answer["description"]["levels"].elements.compactMap { $0["path"].text }
  }

  /// Those of the paths at or below which there is no scope, whatever is mounted.
  package func unknown(of paths: [String]) -> [String] {
    paths.filter { path in !scopes.contains { isAbove(path, $0) } }
  }

  /// What is said about one that is unknown.
  package func details(of path: String) -> String {
    if let near = EditDistance.nearest(to: path, in: scopes) { return "Did you mean \(near)?" }
    return "Its scopes: \(scopes.joined(separator: ", "))"
  }

  /// Whether the path, which may have stars, is a scope's or one above it, or within a path of them.
  private func isAbove(_ path: String, _ scope: String) -> Bool {
    let wanted = path.split(separator: "/")
    let pattern = scope.split(separator: "/")
    guard !wanted.contains(where: { $0.contains("**") }) else { return true }
    return wanted.count <= pattern.count
      && zip(wanted, pattern).allSatisfy { $1 == "*" || Glob(String($0)).matches(String($1)) }
  }
}
