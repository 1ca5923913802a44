package import PenstockCore

/// A recorded list of client actions: JSON, one action a line, `{"path", "payload", "after_ms"}`. The
/// first line may say what has to happen at least: `{"minimum": {"sends": N, …}}`.
package struct ActionList: Hashable, Sendable {
  package struct Action: Hashable, Sendable {
    package var path: Path
    package var payload: Bytes
    /// How long after the one before it is sent. A pause begins when all before it are settled, so
    /// that what they started goes on meanwhile, however slow the machine is.
    package var milliseconds: Int64
  }

  /// Milliseconds from which on it is a pause.
  package static let pause: Int64 = 100

  /// By the names that `compare` prints.
  package var minimum: [(name: String, count: Int64)] { least.map { ($0.name, $0.count) } }
  package private(set) var actions: [Action] = []
  private var least: [Least] = []

  private struct Least: Hashable, Sendable {
    var name: String
    var count: Int64
  }

  /// - Throws: `CommandFailure` that names the line.
  package init(_ bytes: Bytes, named name: String) throws(CommandFailure) {
    for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      guard !line.isEmpty else { continue }
      let value: JSONValue
      do {
        value = try JSONValue(Bytes(line))
      } catch {
        throw Self.failure(name, index, "is no JSON: \(error)")
      }
      if index == 0, case .object(let members) = value["minimum"] {
        for member in members {
          guard CompareReport.countNames.contains(member.name), let count = member.value.integer
          else { throw Self.failure(name, index, "has no count named \"\(member.name)\"") }
          least.append(Least(name: member.name, count: count))
        }
        continue
      }
      guard let path = value["path"].text.flatMap({ Path($0) }), value["payload"] != .null else {
        throw Self.failure(name, index, "needs a path and a payload")
      }
      actions.append(
        Action(
          path: path, payload: Bytes(value["payload"].compact.utf8),
          milliseconds: max(0, value["after_ms"].integer ?? 0)))
    }
    if actions.isEmpty {
      throw CommandFailure(.usage, "PS-K02", "\(name) has no actions")
    }
  }

  private static func failure(_ name: String, _ index: Int, _ what: String) -> CommandFailure {
    CommandFailure(.usage, "PS-K01", "line \(index + 1) of \(name) \(what)")
  }
}
