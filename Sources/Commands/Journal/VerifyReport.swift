import Platform

/// What `verify` found out, as text.
package struct VerifyReport {
  private let report: JSONValue
  private let journal: String
  private let isExact: Bool
  private let limit: Int

  /// - Parameters:
  ///   - isExact: whether the difference is known to be of its record, not only of a checkpoint.
  ///   - limit: the most differences that are listed.
  package init(_ report: JSONValue, journal: String, isExact: Bool, limit: Int) {
    self.report = report
    self.journal = journal
    self.isExact = isExact
    self.limit = limit
  }

  package var text: String {
    let begins = report["begins"].integer ?? 0
    var lines: [String] = []
    let difference = report["difference"]
    if difference == .null, report["last"].integer == begins {
      lines.append("\(journal): no record stands after its checkpoint of record \(begins)")
    } else if difference == .null {
      lines += describeEqual(from: begins)
    } else {
      lines += describe(difference)
    }
    if begins > 0 { lines.append(JournalText.beginning(UInt64(begins) + 1)) }
    return lines.map { $0.printable + "\n" }.joined()
  }

  /// What stands behind the last checkpoint is reduced, but there is nothing to compare it with.
  private func describeEqual(from begins: Int64) -> [String] {
    let equal = report["equal_through"].integer ?? begins
    let last = report["last"].integer ?? equal
    var lines: [String] = []
    if equal > begins {
      lines.append(
        "\(journal): records \(begins + 1) to \(equal) come out as they did, "
          + "compared at \(Quantity.count(report["compared"].integer ?? 0, "checkpoint"))")
    }
    if last > equal {
      let records = last == equal + 1 ? "record \(last)" : "records \(equal + 1) to \(last)"
      lines.append(
        "\(journal): \(records) can be reduced; no checkpoint says yet what came of that")
    }
    return lines
  }

  private func describe(_ difference: JSONValue) -> [String] {
    let sequence = difference["sequence"].compact
    let message = difference["message"].text ?? ""
    var lines: [String] = []
    if isExact {
      lines.append("\(journal): record \(sequence) is the first that differs: \(message)")
    } else {
      let equal = (report["equal_through"].integer ?? 0) + 1
      lines.append(
        "\(journal): a record from \(equal) to \(sequence) differs: after them \(message)")
    }
    var changes: [String] = []
    Self.compare(difference["recorded"], difference["replayed"], at: "", into: &changes)
    lines += changes.prefix(limit).map { "  \($0)" }
    if changes.count > limit { lines.append("  and \(changes.count - limit) more") }
    if !isExact {
      lines.append("  --against OLD, with the build that wrote it, finds the record")
    }
    return lines
  }

  /// `/targets/0/name: was "a", is "b"`
  private static func compare(
    _ old: JSONValue, _ new: JSONValue, at path: String, into changes: inout [String]
  ) {
    guard old != new else { return }
    switch (old, new) {
    case (.object(let before), .object(let after)):
      for member in before {
        compare(member.value, new[member.name], at: "\(path)/\(member.name)", into: &changes)
      }
      for member in after where !before.contains(where: { $0.name == member.name }) {
        compare(.null, member.value, at: "\(path)/\(member.name)", into: &changes)
      }
    case (.array(let before), .array(let after)):
      for index in 0..<max(before.count, after.count) {
        compare(
          index < before.count ? before[index] : .null, index < after.count ? after[index] : .null,
          at: "\(path)/\(index)", into: &changes)
      }
    default:
      changes.append("\(path.isEmpty ? "/" : path): was \(old.compact), is \(new.compact)")
    }
  }
}

extension JSONValue {
  /// The object with another value for a member that it has.
  func replacing(_ name: String, with value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { $0.name == name ? Member(name: name, value: value) : $0 })
  }
}
