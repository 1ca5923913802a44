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
}
