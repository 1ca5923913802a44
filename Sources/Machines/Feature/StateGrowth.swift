import PenstockCore
import Wire

/// Finds out when a state becomes too large for a message, without measuring it at each action.
///
/// A state grows by what actions bring. It is encoded and measured when their payloads since the last
/// measurement could have brought it halfway to the bound, so the cost of an action does not grow with
/// the state. A sixteenth of the limit is kept free for what comes between two measurements.
struct StateGrowth {
  private static let bound = Limits.state - Limits.state / 16
  private static let interval = Limits.state / 32
  /// An action without a payload may still append something.
  private static let least = 256

  private var measured = 0
  private var added = Self.bound

  /// An action was reduced.
  mutating func add(_ payload: Int) { added += payload + Self.least }

  /// Why the state can't be; nil while it can.
  mutating func excess<Program: NodeProgram>(
    of program: Program, _ state: Program.State
  ) -> String? {
    guard added >= max((Self.bound - measured) / 2, Self.interval) else { return nil }
    measured = program.encodeOwn(state).count
    added = 0
    guard measured > Self.bound else { return nil }
    added = Self.bound
    return "the state of \(program.path) has \(measured) bytes, at most \(Self.bound)"
  }
}
