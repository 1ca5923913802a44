import Platform

/// The answer to `ready` as text.
package enum ReadyReport {
  package static func missing(_ answer: JSONValue) -> [String] {
    answer["missing"].elements.map { entry in
      let name = entry["name"].text ?? "?"
      let role = entry["role"].text ?? "?"
      let head =
        switch role {
        case "router": name == "state" ? "the state is not served" : name
        case "worker" where name == role: "workers up: \(entry["state"].text ?? "0")"
        default: "\(role) \(name) is \(entry["state"].text ?? "missing")"
        }
      return (entry["message"].text.map { "\(head): \($0)" } ?? head).printable
    }
  }
}
