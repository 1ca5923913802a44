/// The answer to `ps` as text.
package struct ProcessReport: Sendable {
  private let answer: JSONValue
  private let now: Int64

  package init(_ answer: JSONValue) {
    self.answer = answer
    now = answer["now"].integer ?? 0
  }

  package func text(isTree: Bool, isQuiet: Bool) -> String {
    var table = TextTable([
      .left("NAME"), .left("ROLE"), .left("STATE"), .right("PID"), .right("UP"), .right("BACK"),
      .right("DONE"), .right("QUEUE"), .left("NOTES"),
    ])
    let durable = answer["durable"].isTrue ? "durable" : "not durable"
    table.add([
      answer["application"].text ?? "router", "router", "up", answer["pid"].compact,
      age(answer["since"]), "\((answer["start"].integer ?? 1) - 1)", answer["committed"].compact,
      answer["waiting"].compact,
      "\(durable), \(Quantity.count(answer["clients"].integer ?? 0, "client"))\(unserved)\(quarantined)",
    ])
    let peers = answer["peers"].elements
    let features = peers.filter { $0["role"].text == "feature" }
    let workers = peers.filter { $0["role"].text == "worker" }
    for (index, peer) in features.enumerated() {
      table.add(row(peer, name: isTree ? branch(index, of: features, before: workers) : nil))
    }
    for (index, peer) in workers.enumerated() {
      let mark = index == workers.count - 1 ? "└─ " : "├─ "
      table.add(row(peer, name: isTree ? mark + (peer["name"].text ?? "?") : nil))
    }
    return table.text(withHeader: !isQuiet)
  }

  private var unserved: String {
    let names = answer["unserved"].elements.compactMap(\.text)
    return names.isEmpty ? "" : ", no worker serves \(names.joined(separator: ", "))"
  }

  private var quarantined: String {
    let count = answer["quarantined"].integer ?? 0
    return count == 0 ? "" : ", \(count) in quarantine"
  }

  private func row(_ peer: JSONValue, name: String?) -> [String] {
    var notes: [String] = []
    if peer["role"].text == "worker" {
      notes.append("\(peer["running"].compact)/\(peer["slots"].compact) slots")
    }
    if let message = peer["message"].text { notes.append(message) }
    return [
      name ?? peer["name"].text ?? "?", peer["role"].text ?? "?", peer["state"].text ?? "?",
      peer["pid"].integer.map(String.init) ?? "–", age(peer["since"]), peer["restarts"].compact,
      peer["actions"].compact, peer["queue"].compact, notes.joined(separator: ", "),
    ]
  }

  /// The feature's path below its nearest placed ancestor, with lines of a tree.
  private func branch(_ index: Int, of features: [JSONValue], before workers: [JSONValue]) -> String
  {
    let paths = features.map { $0["name"].text ?? "?" }
    let path = paths[index]
    var line = ""
    var ancestor: String? = path
    var isLeaf = true
    while let current = ancestor {
      let above = parent(of: current, in: paths)
      let isLast = !paths[(index + 1)...].contains {
        parent(of: $0, in: paths) == above && $0 != current
      }
      let ends = isLast && !(above == nil && !workers.isEmpty)
      line = (isLeaf ? (ends ? "└─ " : "├─ ") : (ends ? "   " : "│  ")) + line
      isLeaf = false
      ancestor = above
    }
    return line + path
  }

  private func parent(of path: String, in paths: [String]) -> String? {
    paths.filter { $0 != path && ($0 == "/" || path.hasPrefix($0 + "/")) }
      .max { $0.count < $1.count }
  }

  private func age(_ since: JSONValue) -> String {
    since.integer.map { Quantity.duration(microseconds: max(0, now - $0)) } ?? "–"
  }
}
