import Platform

/// The answer to `trace` as a tree: below an action its sends and effects, below an effect its outputs.
package struct TraceReport: Sendable {
  private let actions: [JSONValue]
  private let effects: [JSONValue]
  private let isTruncated: Bool
  private let uncommitted: Int64

  package init(_ answer: JSONValue) {
    actions = answer["actions"].elements
    effects = answer["effects"].elements
    isTruncated = answer["truncated"].isTrue
    uncommitted = answer["uncommitted"].integer ?? 0
  }

  package var text: String {
    guard let root = actions.first else { return "" }
    var lines: [String] = []
    append(action: root, first: "", rest: "", to: &lines)
    if isTruncated { lines.append("… and more: the tree was cut") }
    return lines.map { $0.printable + "\n" }.joined()
  }

  /// Whether all that the root action led to is there, but for timers.
  package var isComplete: Bool {
    uncommitted == 0
      && !effects.contains { ["queued", "started", "backoff"].contains($0["state"].text) }
  }

  /// What the stages of the root action had to say.
  package var diagnostics: [String] {
    actions.first?["diagnostics"].elements.compactMap(\.text) ?? []
  }

  private enum Node {
    case action(JSONValue)
    case effect(JSONValue)
  }

  private func append(
    action: JSONValue, first: String, rest: String, to lines: inout [String]
  ) {
    var line =
      "\(first)\(action["seq"].compact) \(action["path"].text ?? "?") "
      + (action["type"].text ?? "?")
    if action["origin"].text == "client" { line += "  from \(action["source"].text ?? "?")" }
    if let latency = action["lat"].integer {
      line += "  \(Quantity.duration(microseconds: latency))"
    }
    if let flag = action["flag"].text { line += "  \(flag)" }
    lines.append(line)
    let sequence = action["seq"]
    let below =
      actions.filter { $0["cause"] == sequence && $0["effect"].text == nil }.map(Node.action)
      + effects.filter { $0["seq"] == sequence }.map(Node.effect)
    append(below, rest: rest, to: &lines)
  }

  private func append(
    effect: JSONValue, first: String, rest: String, to lines: inout [String]
  ) {
    var line =
      "\(first)effect \(effect["operation"].text ?? "?") \(effect["id"].text ?? "?")  "
      + (effect["state"].text ?? "?")
    if let worker = effect["worker"].text { line += "  \(worker)" }
    if let since = effect["since"].integer, let ended = effect["ended"].integer {
      line += "  \(Quantity.duration(microseconds: max(0, ended - since)))"
    }
    if let attempt = effect["attempt"].integer, attempt > 1 { line += "  attempt \(attempt)" }
    if let message = effect["message"].text { line += "  \(message)" }
    lines.append(line)
    let id = effect["id"]
    append(
      actions.filter { $0["effect"] == id && $0 != actions.first }.map(Node.action), rest: rest,
      to: &lines)
  }

  private func append(_ nodes: [Node], rest: String, to lines: inout [String]) {
    for (index, node) in nodes.enumerated() {
      let isLast = index == nodes.count - 1
      let first = rest + (isLast ? "└─ " : "├─ ")
      let below = rest + (isLast ? "   " : "│  ")
      switch node {
      case .action(let action): append(action: action, first: first, rest: below, to: &lines)
      case .effect(let effect): append(effect: effect, first: first, rest: below, to: &lines)
      }
    }
  }
}
