/// Cases of an action that the body of its feature forgot: a child's without a reducer for it, and a
/// binding that nobody puts into the state.
///
/// They are logic like any other, so that every placement says the same. A body without gaps, which
/// is nearly every one, pays nothing.
struct Unhandled<State: JSONCodable, Action: JSONCodable & CasePathable>: Sendable {
  private let children: Set<String>
  private let bindings: Set<String>

  /// - Returns: nil when the body handles all of them.
  init?(_ level: LevelBuilder<State, Action>) {
    children = Set(Action.childCases).subtracting(level.mounts.map(\.name))
    bindings = Set(Action.bindingCases).subtracting(level.bindings)
    if children.isEmpty && bindings.isEmpty { return nil }
  }

  var logic: Logic<State, Action> {
    Logic(observed: [], phase: .structureIn) { _, action in
      let payload = JSONWriter.bytes(of: action)
      guard let name = JSONScan.caseText(of: payload) else { return .none }
      let path = TransitionInputs.required.path
      if children.contains(name) { return Effect([.diagnostic(child(name, at: path))]) }
      guard bindings.contains(name) else { return .none }
      let value = JSONScan.firstKey(of: payload)?.value
      let field = value.flatMap { JSONScan.members(of: payload, in: $0)?.first?.key } ?? ""
      return Effect([.diagnostic(binding(field, name, at: path))])
    }
  }

  private func child(_ name: String, at path: Path) -> String {
    """
    An action of a child came to \(path) in the case “\(name)”, and no reducer runs for it. Only the \
    logic of \(path) saw it. Either the body of \(path) lacks a Scope, an ifLet or a forEach with \
    action: \\.\(name), so add it, or the case holds no child's action, so give it a type of its own.
    """
  }

  private func binding(_ field: String, _ name: String, at path: Path) -> String {
    """
    A binding of “\(field)” came to \(path), and nobody puts it into the state, which stays as it was. \
    Add BindingReducer(action: \\.\(name)) to the body, before the logic that is to see the new value.
    """
  }
}
