/// The answer to `effects` as text.
package enum EffectReport {
  package static func text(_ answer: JSONValue, isQuiet: Bool) -> String {
    let now = answer["now"].integer ?? 0
    var table = TextTable([
      .left("EFFECT"), .left("OPERATION"), .left("STATE"), .left("WORKER"), .right("TRY"),
      .right("SINCE"), .right("DUE"),
    ])
    for effect in answer["effects"].elements {
      table.add([
        effect["id"].text ?? "?", effect["operation"].text ?? "?", effect["state"].text ?? "?",
        effect["worker"].text ?? "–", effect["attempt"].compact,
        effect["since"].integer.map { Quantity.duration(microseconds: max(0, now - $0)) } ?? "–",
        effect["due"].integer.map { "in " + Quantity.duration(microseconds: max(0, $0 - now)) }
          ?? "–",
      ])
    }
    return answer["effects"].elements.isEmpty
      ? "no effect lives\n" : table.text(withHeader: !isQuiet)
  }

  /// The answer to `failed`.
  package static func failed(_ answer: JSONValue, isQuiet: Bool) -> String {
    let now = answer["now"].integer ?? 0
    var table = TextTable([
      .left("EFFECT"), .left("OPERATION"), .right("TRIES"), .right("AGO"), .left("ERROR"),
    ])
    for effect in answer["effects"].elements {
      table.add([
        effect["id"].text ?? "?", effect["operation"].text ?? "?",
        effect["attempts"].integer.map { "\($0)" } ?? "–",
        effect["t"].integer.map { Quantity.duration(microseconds: max(0, now - $0)) } ?? "–",
        "\(effect["code"].text ?? "?"): \(effect["message"].text ?? "")",
      ])
    }
    return answer["effects"].elements.isEmpty
      ? "no effect failed for good\n" : table.text(withHeader: !isQuiet)
  }
}
