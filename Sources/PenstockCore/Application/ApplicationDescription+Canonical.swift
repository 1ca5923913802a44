extension ApplicationDescription {
  /// Peels the parents' cases off an action: `{"login":"reset"}` at `/` is `"reset"` at `/login`.
  ///
  /// Needs no types. Gives back what it was given when it is canonical already, nil when no level
  /// has the path.
  public func canonical(_ path: Path, _ payload: Bytes) -> (path: Path, payload: Bytes)? {
    guard var position = pattern(of: path) else { return nil }
    var path = path
    var range = 0..<payload.count
    while let found = JSONScan.firstKey(of: payload, in: range), found.isOnlyMember,
      let value = found.value
    {
      let below = described(position).appending(found.key)
      if let level = level(at: below) {
        // What takes a child away is its parent's action.
        guard let action = JSONScan.value(at: level.wrapping, in: payload, range: value) else {
          break
        }
        position = below
        path = path.appending(found.key)
        range = action
      } else if level(at: below.appending("*")) != nil,
        let id = JSONScan.value(at: ["element", "id"], in: payload, range: value),
        let action = JSONScan.value(at: ["element", "action"], in: payload, range: value)
      {
        position = below.appending("*")
        path = path.appending(found.key).appending(JSONScan.text(of: payload, in: id))
        range = action
      } else {
        break
      }
    }
    return (path, range.count == payload.count ? payload : Bytes(payload[range]))
  }

  /// The field that a canonical action sets, with its case; nil when it is no binding.
  package func boundField(_ path: Path, _ payload: Bytes) -> String? {
    guard let level = level(addressed: path), !level.bindings.isEmpty,
      let name = JSONScan.caseText(of: payload), level.bindings.contains(name),
      let value = JSONScan.firstKey(of: payload)?.value,
      let field = JSONScan.firstKey(of: payload, in: value)
    else { return nil }
    return "\(name).\(field.key)"
  }

  /// The level that an action at the path addresses; ids match `*`.
  public func level(addressed path: Path) -> LevelDescription? {
    pattern(of: path).flatMap(level(at:))
  }

  private func level(at pattern: Path) -> LevelDescription? {
    levels.first { $0.path == pattern }
  }

  /// Where the levels below a level are described.
  private func described(_ pattern: Path) -> Path { level(at: pattern)?.repeats ?? pattern }

  /// The pattern of the path's level: with `*` for the ids of elements, and where a feature repeats
  /// one above it, as below that one.
  private func pattern(of path: Path) -> Path? {
    var pattern = Path.root
    var components = path.components[...]
    while let component = components.popFirst() {
      let next = described(pattern).appending(component)
      if level(at: next) != nil {
        pattern = next
      } else if !components.isEmpty, level(at: next.appending("*")) != nil {
        components.removeFirst()
        pattern = next.appending("*")
      } else {
        return nil
      }
    }
    return pattern
  }
}

extension JSONScan {
  /// The canonical text of an encoded id: a string's content, anything else as it stands.
  static func text(of bytes: Bytes, in range: Range<Int>) -> String {
    var reader = JSONReader(bytes, range: range)
    return (try? reader.readString()) ?? String(decoding: bytes[range], as: UTF8.self)
  }
}
