/// What `compare` found out.
package struct CompareReport: Hashable, Sendable {
  /// A state's hash, by who holds it.
  package struct State: Hashable, Sendable {
    package var holder: String
    package var asOf: UInt64
    package var hash: String

    package init(holder: String, asOf: UInt64, hash: String) {
      self.holder = holder
      self.asOf = asOf
      self.hash = hash
    }
  }

  /// What may have a minimum.
  package static let countNames = [
    "sends", "outputs", "timers", "squashes", "unmounts", "voids",
  ]

  package var title: String
  /// Pairs that must be equal: a system's, then the oracle's of the same record.
  package var states: [State] = []
  /// States from on the way that were looked at too.
  package var published = 0
  package var counts: [String: Int64] = [:]
  package var minimum: [String: Int64] = [:]
  /// Sentences about what is not as it has to be, besides hashes and counts.
  package var faults: [String] = []

  package init(title: String) { self.title = title }

  /// Everything that is wrong; empty means equal.
  package var differences: [String] {
    var sentences = faults
    for index in stride(from: 1, to: states.count, by: 2)
    where states[index].hash != states[index - 1].hash {
      sentences.append(
        "the state of \(states[index - 1].holder) as of \(states[index].asOf) differs from that of "
          + states[index].holder)
    }
    for name in Self.countNames {
      let count = counts[name] ?? 0
      if let least = minimum[name], count < least {
        sentences.append("too few \(name): \(count), at least \(least) are needed")
      }
    }
    return sentences
  }

  package var text: String {
    var lines = [title]
    var table = TextTable([.left("WHO"), .left("AS OF"), .left("HASH")])
    for state in states { table.add([state.holder, "as of \(state.asOf)", state.hash]) }
    lines.append(String(table.text(withHeader: false).dropLast()))
    lines.append("\(published) states published on the way")
    lines.append(
      Self.countNames.map { name in
        let least = minimum[name].map { " (at least \($0))" } ?? ""
        return "\(name) \(counts[name] ?? 0)\(least)"
      }.joined(separator: " · "))
    lines += differences.isEmpty ? ["equal"] : differences
    return lines.joined(separator: "\n") + "\n"
  }

  package var json: String {
    func numbers(_ counts: [String: Int64]) -> JSONValue {
      .object(
        Self.countNames.compactMap { name in
          counts[name].map { .init(name: name, value: .number("\($0)")) }
        })
    }
    return JSONValue.object([
      .init(name: "v", value: .number("1")),
      .init(
        name: "states",
        value: .array(
          states.map {
            .object([
              .init(name: "holder", value: .string($0.holder)),
              .init(name: "seq", value: .number("\($0.asOf)")),
              .init(name: "hash", value: .string($0.hash)),
            ])
          })),
      .init(name: "published", value: .number("\(published)")),
      .init(name: "counts", value: numbers(counts)),
      .init(name: "minimum", value: numbers(minimum)),
      .init(name: "differences", value: .array(differences.map(JSONValue.string))),
    ]).compact
  }
}
