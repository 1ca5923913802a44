/// What a run keeps of all that its seed draws: the shrinker's result, as it is typed.
///
/// Actions and faults have ordinals in the order in which they are drawn. What is not kept is drawn
/// all the same, and does not happen.
package struct SimulationCase: Hashable, Sendable {
  /// nil keeps all.
  package var actions: Set<Int>?
  package var faults: Set<Int>?
  package var clients = SimulationCase.allClients
  package var workers = SimulationCase.allWorkers

  package static let allClients = 3
  package static let allWorkers = 2

  package init() {}

  package var isEverything: Bool { self == SimulationCase() }

  /// `actions=0-3,17/faults=none/clients=1`; nothing for what is kept in full.
  package var text: String {
    var parts: [String] = []
    if let actions { parts.append("actions=\(Self.text(of: actions))") }
    if let faults { parts.append("faults=\(Self.text(of: faults))") }
    if clients != Self.allClients { parts.append("clients=\(clients)") }
    if workers != Self.allWorkers { parts.append("workers=\(workers)") }
    return parts.joined(separator: "/")
  }

  /// nil when the text is none that `text` gives.
  package init?(_ text: String) {
    for part in text.split(separator: "/") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { return nil }
      switch pair[0] {
      case "actions":
        guard let numbers = Self.numbers(pair[1]) else { return nil }
        actions = numbers
      case "faults":
        guard let numbers = Self.numbers(pair[1]) else { return nil }
        faults = numbers
      case "clients":
        guard let count = Int(pair[1]), (1...Self.allClients).contains(count) else { return nil }
        clients = count
      case "workers":
        guard let count = Int(pair[1]), (1...Self.allWorkers).contains(count) else { return nil }
        workers = count
      default: return nil
      }
    }
  }

  private static func text(of numbers: Set<Int>) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    if ranges.isEmpty { return "none" }
    return ranges.map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }.joined(separator: ",")
  }

  private static func numbers(_ text: Substring) -> Set<Int>? {
    if text == "none" { return [] }
    var numbers: Set<Int> = []
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-").map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
        first <= last, last < 1_000_000
      else { return nil }
      numbers.formUnion(first...last)
    }
    return numbers
  }
}
