/// How much of what happens a test has to say.
public enum Exhaustivity: Hashable, Sendable {
  /// Every change of the state, every action and every operation.
  case on
  /// Only what the test is about. What it passes over can be shown as warnings.
  case off(showSkipped: Bool)

  public static let off = Exhaustivity.off(showSkipped: false)
}
