/// A case that only its feature and the effects of that may send, and which somebody else sent.
package struct InternalCase: Hashable, Sendable, CustomStringConvertible {
  /// The feature's address.
  package var path: Path
  package var name: String

  package init(path: Path, name: String) {
    self.path = path
    self.name = name
  }

  package var description: String {
    "“\(name)” of \(path) is internal: only that feature itself and its effects send it"
  }
}

extension ApplicationDescription {
  /// Whether any feature has cases that are not for everybody.
  package var hasInternalCases: Bool { levels.contains { !$0.internalCases.isEmpty } }

  /// The internal case to which, or through which, a canonical action leads; nil when everybody may
  /// send it.
  package func internalCase(_ path: Path, _ payload: Bytes) -> InternalCase? {
    var pattern = Path.root
    var here = Path.root
    var components = path.components[...]
    while let level = levels.first(where: { $0.path == pattern }) {
      let isLast = components.isEmpty
      guard let name = components.popFirst() ?? JSONScan.caseText(of: payload) else { return nil }
      if level.internalCases.contains(name) { return InternalCase(path: here, name: name) }
      // What the action's case holds is that level's own matter.
      if isLast { return nil }
      pattern = (level.repeats ?? pattern).appending(name)
      here = here.appending(name)
      if !levels.contains(where: { $0.path == pattern }), let id = components.popFirst() {
        pattern = pattern.appending("*")
        here = here.appending(id)
      }
    }
    return nil
  }
}
