/// What differs between two values, as lines that begin with − (expected) or + (actual).
struct Difference {
  /// Empty when the values look the same.
  private(set) var lines: [String] = []

  init(expected: Any, actual: Any) {
    let (old, new) = (DumpNode(expected), DumpNode(actual))
    if old != new { compare(old, new, label: nil, indentation: 0, comma: "") }
  }

  var text: String { lines.joined(separator: "\n") }

  private mutating func compare(
    _ old: DumpNode, _ new: DumpNode, label: String?, indentation: Int, comma: String
  ) {
    guard case .group(let before) = old, case .group(let after) = new, before.open == after.open,
      before.isCollection == after.isCollection,
      before.isCollection || before.children.map(\.label) == after.children.map(\.label)
    else {
      add("−", old, label, indentation, comma)
      add("+", new, label, indentation, comma)
      return
    }
    let start = String(repeating: " ", count: indentation)
    lines.append("  \(start)\(label.map { "\($0): " } ?? "")\(before.open)")
    if before.isCollection {
      compareElements(before, after, indentation: indentation + 2)
    } else {
      compareFields(before, after, indentation: indentation + 2)
    }
    lines.append("  \(start)\(before.close)\(comma)")
  }

  private mutating func compareFields(
    _ before: DumpNode.Group, _ after: DumpNode.Group, indentation: Int
  ) {
    var same = 0
    for (index, (old, new)) in zip(before.children, after.children).enumerated() {
      if old == new {
        same += 1
        continue
      }
      tellUnchanged(&same, indentation)
      let comma = index < before.children.count - 1 ? "," : ""
      compare(old.node, new.node, label: old.label, indentation: indentation, comma: comma)
    }
    tellUnchanged(&same, indentation)
  }

  /// Pairs the elements that are neither removed nor inserted.
  private mutating func compareElements(
    _ before: DumpNode.Group, _ after: DumpNode.Group, indentation: Int
  ) {
    let (old, new) = (before.children, after.children)
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in new.difference(from: old, by: ==) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (i, j, same) = (0, 0, 0)
    while i < old.count || j < new.count {
      let comma = i < old.count - 1 || j < new.count - 1 ? "," : ""
      if removed.contains(i), inserted.contains(j), old[i].label == new[j].label {
        tellUnchanged(&same, indentation)
        let label = new[j].label ?? "[\(j)]"
        compare(old[i].node, new[j].node, label: label, indentation: indentation, comma: comma)
        (i, j) = (i + 1, j + 1)
      } else if removed.contains(i) {
        tellUnchanged(&same, indentation)
        add("−", old[i].node, old[i].label ?? "[\(i)]", indentation, comma)
        i += 1
      } else if inserted.contains(j) {
        tellUnchanged(&same, indentation)
        add("+", new[j].node, new[j].label ?? "[\(j)]", indentation, comma)
        j += 1
      } else {
        (i, j, same) = (i + 1, j + 1, same + 1)
      }
    }
    tellUnchanged(&same, indentation)
  }

  private mutating func tellUnchanged(_ count: inout Int, _ indentation: Int) {
    if count == 0 { return }
    lines.append("  \(String(repeating: " ", count: indentation))… (\(count) unchanged)")
    count = 0
  }

  private mutating func add(
    _ sign: String, _ node: DumpNode, _ label: String?, _ indentation: Int, _ comma: String
  ) {
    var added = node.lines(label: label, indentation: indentation)
    added[added.count - 1] += comma
    lines += added.map { "\(sign) \($0)" }
  }
}
