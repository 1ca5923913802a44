import Platform

/// The answer to `quarantine` as text.
package enum QuarantineReport {
  package static func text(_ answer: JSONValue, isQuiet: Bool) -> String {
    let actions = answer["actions"].elements
    if actions.isEmpty { return "nothing is in quarantine\n" }
    let now = answer["now"].integer ?? 0
    var table = TextTable([
      .right("SEQ"), .left("PATH"), .left("TYPE"), .left("REASON"), .left("FROM"),
      .right("BYTES"), .right("AGO"),
    ])
    for action in actions {
      table.add([
        action["seq"].compact, action["path"].text ?? "?", action["type"].text ?? "?",
        action["reason"].text ?? "?", action["source"].text ?? "?", action["bytes"].compact,
        action["t"].integer.map { Quantity.duration(microseconds: max(0, now - $0)) } ?? "–",
      ])
    }
    return table.text(withHeader: !isQuiet)
  }

  /// One action with its payload.
  package static func whole(_ answer: JSONValue) -> String {
    let action = answer["actions"].elements.first ?? .null
    let cause = action["cause"].integer.map { ", caused by \($0)" } ?? ""
    let head =
      "\(action["seq"].compact) \(action["path"].text ?? "?") "
      + "\(action["reason"].text ?? "?"), from \(action["source"].text ?? "?")\(cause)"
    return "\(head.printable)\n\((action["payload"].text ?? "").printableLines)\n"
  }
}
