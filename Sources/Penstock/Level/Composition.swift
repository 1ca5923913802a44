/// Which features are being composed, the outermost first.
enum Composition {
  /// A feature by its types: another instance of the same types is composed alike.
  struct Feature: Hashable, Sendable {
    private let state: ObjectIdentifier
    private let action: ObjectIdentifier

    init(_ state: Any.Type, _ action: Any.Type) {
      self.state = ObjectIdentifier(state)
      self.action = ObjectIdentifier(action)
    }
  }

  @TaskLocal private static var above: [Feature] = []

  /// Whether a feature of these types is being composed.
  static func isBelowItself(_ state: Any.Type, _ action: Any.Type) -> Bool {
    above.contains(Feature(state, action))
  }

  /// Composes a level, and knows of it while its children are composed.
  /// - Parameter anew: nothing that stands above counts.
  static func compose<State, Action>(
    anew: Bool = false, _ compose: () -> Level<State, Action>
  ) -> Level<State, Action> {
    $above.withValue((anew ? [] : above) + [Feature(State.self, Action.self)], operation: compose)
  }
}
