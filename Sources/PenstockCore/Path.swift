/// The address of a scope in the tree of mounts: `/` is the root, `/targets/rows/a` an element.
///
/// A component is the wire name of an action case, or the canonical form of an element's id.
/// `%` and `/` inside a component are escaped as `%25` and `%2F`, an empty component is `%00`.
public struct Path: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The canonical text, always beginning with `/`.
  public let description: String

  public static let root = Path(canonical: "/")

  package init(canonical: String) { description = canonical }

  /// Reads a path that a person or a peer wrote; nil when it is not in canonical form.
  public init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    if text.utf8.count > 1 {
      guard text.utf8.last != UInt8(ascii: "/"), !text.contains("//") else { return nil }
      for part in text.dropFirst().split(separator: "/") {
        guard let plain = Path.unescape(part), Path.escape(plain) == part else { return nil }
      }
    }
    description = text
  }

  public var isRoot: Bool { description.utf8.count == 1 }

  /// The unescaped components from the root.
  public var components: [String] {
    var components: [String] = []
    if isRoot { return components }
    var text = description
    text.withUTF8 { bytes in
      var start = 1
      for end in 1...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
        let part = String(
          decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        components.append(Path.unescape(part) ?? part)
        start = end + 1
      }
    }
    return components
  }

  /// The path of the component's child.
  public func appending(_ component: String) -> Path {
    Path(
      canonical: isRoot ? "/" + Path.escape(component) : description + "/" + Path.escape(component))
  }

  public func appending(contentsOf components: some Sequence<String>) -> Path {
    components.reduce(self) { $0.appending($1) }
  }

  public var parent: Path? {
    guard !isRoot, let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == description.startIndex ? .root : Path(canonical: String(description[..<slash]))
  }

  /// True for the path itself and for everything below it.
  public func contains(_ other: Path) -> Bool {
    if isRoot || self == other { return true }
    let mine = description.utf8
    let theirs = other.description.utf8
    guard theirs.count >= mine.count, theirs.starts(with: mine) else { return false }
    return theirs.count == mine.count
      || theirs[theirs.index(theirs.startIndex, offsetBy: mine.count)] == UInt8(ascii: "/")
  }

  /// Whether it, or one that contains it, is among the paths.
  package func isWithin(_ paths: Set<Path>) -> Bool {
    var next: Path? = self
    while let path = next {
      if paths.contains(path) { return true }
      next = path.parent
    }
    return false
  }

  /// The components of `other` below this path; nil when it is not below it.
  public func components(to other: Path) -> [String]? {
    guard contains(other) else { return nil }
    return Array(other.components.dropFirst(components.count))
  }

  public static func < (left: Path, right: Path) -> Bool { left.description < right.description }

  static func escape(_ component: String) -> String {
    if component.isEmpty { return "%00" }
    guard component.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") })
    else { return component }
    var result = ""
    for character in component.unicodeScalars {
      switch character {
      case "%": result += "%25"
      case "/": result += "%2F"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  static func unescape(_ part: some StringProtocol) -> String? {
    guard part.utf8.contains(UInt8(ascii: "%")) else { return String(part) }
    if part == "%00" { return "" }
    var result = String.UnicodeScalarView()
    var rest = part.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        result.append(scalar)
        continue
      }
      guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
      switch (high, low) {
      case ("2", "5"): result.append("%")
      case ("2", "F"): result.append("/")
      default: return nil
      }
    }
    return String(result)
  }
}
