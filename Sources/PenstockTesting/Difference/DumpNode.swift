import Penstock

/// A value as a tree of text, as it would be written in Swift.
indirect enum DumpNode: Equatable {
  case leaf(String)
  case group(Group)

  struct Group: Equatable {
    struct Child: Equatable {
      var label: String?
      var node: DumpNode
    }

    var open: String
    var close: String
    var children: [Child]
    /// Elements of an order, which come and go; else fields, which are always there.
    var isCollection = false
  }

  init(_ value: Any) {
    self = DumpNode.known(value) ?? DumpNode.reflected(value)
  }

  private static func known(_ value: Any) -> DumpNode? {
    switch value {
    case let text as String: .leaf(text.debugDescription)
    case let text as Substring: .leaf(String(text).debugDescription)
    case let type as any Any.Type: .leaf("\(declaredName(of: type)).self")
    case let number as any BinaryInteger: .leaf("\(number)")
    case let described as any DumpedAsText: .leaf(described.dumpedText)
    default: nil
    }
  }

  private static func reflected(_ value: Any) -> DumpNode {
    let mirror = Mirror(reflecting: value)
    let children = mirror.children
    switch mirror.displayStyle {
    case .optional: return children.first.map { DumpNode($0.value) } ?? .leaf("nil")
    case .enum: return enumeration(value, children)
    case .collection, .set:
      return .group(
        Group(
          open: "[", close: "]",
          children: children.map { .init(label: nil, node: DumpNode($0.value)) },
          isCollection: true))
    case .dictionary:
      return .group(
        Group(
          open: "[", close: "]",
          children: children.map { child in
            let pair = Mirror(reflecting: child.value).children.map(\.value)
            return .init(label: DumpNode(pair[0]).line, node: DumpNode(pair[1]))
          }, isCollection: true))
    case .tuple: return .group(Group(open: "(", close: ")", children: fields(children)))
    case .struct, .class:
      let name = declaredName(of: type(of: value))
      if children.isEmpty, let text = value as? any CustomStringConvertible {
        return .leaf("\(name)(\(text.description))")
      }
      return .group(Group(open: "\(name)(", close: ")", children: fields(children)))
    default: return .leaf("\(value)")
    }
  }

  /// `.name`, or `.name(…)` around what the case holds.
  private static func enumeration(_ value: Any, _ children: Mirror.Children) -> DumpNode {
    guard let child = children.first, let name = child.label else { return .leaf(".\(value)") }
    let payload = DumpNode(child.value)
    if Mirror(reflecting: child.value).displayStyle == .tuple, case .group(var tuple) = payload {
      tuple.open = ".\(name)("
      return .group(tuple)
    }
    return .group(
      Group(open: ".\(name)(", close: ")", children: [.init(label: nil, node: payload)]))
  }

  private static func fields(_ children: Mirror.Children) -> [Group.Child] {
    children.map { child in
      // Unlabelled values of a tuple are called “.0”; a wrapped field begins with “_”.
      let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
      return Group.Child(
        label: label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 },
        node: DumpNode(child.value))
    }
  }
}

extension DumpNode {
  /// All in one line.
  var line: String {
    switch self {
    case .leaf(let text): return text
    case .group(let group):
      let children = group.children.map { child in
        (child.label.map { "\($0): " } ?? "") + child.node.line
      }
      return group.open + children.joined(separator: ", ") + group.close
    }
  }

  /// One line for each leaf, with what encloses it around.
  func lines(label: String? = nil, indentation: Int = 0) -> [String] {
    let start = String(repeating: " ", count: indentation) + (label.map { "\($0): " } ?? "")
    guard case .group(let group) = self, !group.children.isEmpty else { return [start + line] }
    if group.isEnumeration, case .leaf = group.children[0].node { return [start + line] }
    var lines = [start + group.open]
    for (index, child) in group.children.enumerated() {
      var part = child.node.lines(label: child.label, indentation: indentation + 2)
      if index < group.children.count - 1 { part[part.count - 1] += "," }
      lines += part
    }
    return lines + [String(repeating: " ", count: indentation) + group.close]
  }
}

extension DumpNode.Group {
  /// A case with values in it.
  var isEnumeration: Bool { open.hasPrefix(".") }
}
