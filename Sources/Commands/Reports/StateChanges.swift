import Platform

/// What differs between two published states, for `state --watch`.
package enum StateChanges {
  /// `rows.a.status: "up" → "down"`, one line for each place that differs.
  package static func lines(from old: JSONValue, to new: JSONValue) -> [String] {
    var lines: [String] = []
    compare(old, new, at: "", into: &lines)
    return lines.map(\.printable)
  }

  private static func compare(
    _ old: JSONValue, _ new: JSONValue, at place: String, into lines: inout [String]
  ) {
    guard old != new else { return }
    guard case .object(let before) = old, case .object(let after) = new else {
      lines.append("\(place.isEmpty ? "(all)" : place): \(old.compact) → \(new.compact)")
      return
    }
    let start = lines.count
    for member in before {
      let name = place.isEmpty ? member.name : "\(place).\(member.name)"
      if let other = after.first(where: { $0.name == member.name }) {
        compare(member.value, other.value, at: name, into: &lines)
      } else {
        lines.append("- \(name): \(member.value.compact)")
      }
    }
    for member in after where !before.contains(where: { $0.name == member.name }) {
      let name = place.isEmpty ? member.name : "\(place).\(member.name)"
      lines.append("+ \(name): \(member.value.compact)")
    }
    if lines.count == start {
      lines.append("\(place.isEmpty ? "(all)" : place): the order of the members changed")
    }
  }
}
