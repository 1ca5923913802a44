/// Which cases of an action hold a child's, where only the compiler knows: behind other names of types.
public enum ChildCases {
  /// - Parameters:
  ///   - known: cases whose types are written as a child's.
  ///   - others: cases with their types, which may be another name for one.
  public static func names(_ known: [String], asking others: [(String, Any.Type)]) -> [String] {
    known + others.filter { isOfChild($0.1) }.map(\.0)
  }

  private static func isOfChild(_ type: Any.Type) -> Bool {
    if type is any HoldsChildActions.Type { return true }
    // A feature's action is called so (R12).
    return type is any CasePathable.Type && "\(type)" == "Action"
  }
}

/// An action of whoever presents or holds children.
protocol HoldsChildActions {}

extension PresentationAction: HoldsChildActions {}
extension IdentifiedAction: HoldsChildActions {}
extension StackAction: HoldsChildActions {}
