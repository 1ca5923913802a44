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

  /// Whether the state has to be measured.
  var isDue: Bool { added >= max((Self.bound - measured) / 2, Self.interval) }

  /// Why a state of this size can't be; nil while it can.
  mutating func excess(of path: Path, _ size: Int) -> String? {
    measured = size
    added = 0
    guard measured > Self.bound else { return nil }
    added = Self.bound
    return "the state of \(path) has \(measured) bytes, at most \(Self.bound)"
  }
}
