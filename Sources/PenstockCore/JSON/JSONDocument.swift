/// An encoded state to which patches apply without types.
///
/// Objects are taken apart when a patch first goes into them; what nobody changed stays bytes.
/// What was encoded here comes out byte for byte as it was.
public struct JSONDocument: Sendable {
  private var root: JSONNode

  /// - Throws: `JSONError` when the bytes are not one JSON value.
  public init(_ bytes: Bytes) throws(JSONError) {
    var reader = JSONReader(bytes)
    let range = try reader.readRaw()
    try reader.finish()
    root = .raw(Bytes(bytes[range]))
  }

  public mutating func apply(_ patch: Patch) throws(JSONError) {
    for operation in patch.operations {
      try root.apply(operation.change, at: operation.path[...])
    }
  }

  public func encode() -> Bytes {
    var writer = JSONWriter(reserving: 256)
    root.encode(to: &writer)
    return writer.bytes
  }

  /// The encoding of what is at the member names; nil when there is nothing.
  public func subtree(at path: [String]) -> Bytes? {
    guard let node = root.node(at: path[...]) else { return nil }
    var writer = JSONWriter()
    node.encode(to: &writer)
    return writer.bytes
  }
}

/// A value that is still bytes, or an object that was taken apart.
enum JSONNode: Sendable {
  case raw(Bytes)
  case object(OrderedDictionary<String, JSONNode>)

  static func parsed(_ bytes: Bytes) throws(JSONError) -> OrderedDictionary<String, JSONNode> {
    var reader = JSONReader(bytes)
    var members = OrderedDictionary<String, JSONNode>()
    for (key, range) in try JSONScan.members(of: &reader) {
      guard members.insert(.raw(Bytes(bytes[range])), for: key, at: members.count) else {
        throw JSONError(offset: range.lowerBound, message: "“\(key)” stands twice in an object")
      }
    }
    return members
  }

  func encode(to writer: inout JSONWriter) {
    switch self {
    case .raw(let bytes): writer.raw(bytes)
    case .object(let members):
      writer.byte(UInt8(ascii: "{"))
      var isFirst = true
      for (key, value) in members {
        if !isFirst { writer.byte(UInt8(ascii: ",")) }
        isFirst = false
        writer.key(key)
        value.encode(to: &writer)
      }
      writer.byte(UInt8(ascii: "}"))
    }
  }

  func node(at path: ArraySlice<String>) -> JSONNode? {
    guard let name = path.first else { return self }
    switch self {
    case .object(let members): return members[name]?.node(at: path.dropFirst())
    case .raw(let bytes):
      return JSONScan.value(at: Array(path), in: bytes).map { .raw(Bytes(bytes[$0])) }
    }
  }

  mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    guard let name = path.first else {
      guard case .set(let bytes) = change else {
        throw JSONError(offset: 0, message: "A whole state can only be set")
      }
      self = .raw(bytes)
      return
    }
    var members: OrderedDictionary<String, JSONNode>
    switch self {
    case .raw(let bytes): members = try JSONNode.parsed(bytes)
    case .object(let parsed): members = parsed
    }
    self = .raw([])
    defer { self = .object(members) }
    try JSONNode.apply(change, at: path.dropFirst(), of: name, in: &members)
  }

  private static func apply(
    _ change: PatchOperation.Change, at rest: ArraySlice<String>, of name: String,
    in members: inout OrderedDictionary<String, JSONNode>
  ) throws(JSONError) {
    let index = members.keys.firstIndex(of: name)
    if let index, !rest.isEmpty {
      return try members[position: index].apply(change, at: rest)
    }
    switch (change, index) {
    case (.set(let bytes), _) where rest.isEmpty: members[name] = .raw(bytes)
    case (.insert(let bytes, let position), nil)
    where rest.isEmpty && 0...members.count ~= position:
      members.insert(.raw(bytes), for: name, at: position)
    case (.remove, let index?): members.remove(at: index)
    case (.move(let target), let index?) where 0..<members.count ~= target:
      members.move(from: index, to: target)
    default: throw JSONError(offset: 0, message: "A patch does not fit the object at “\(name)”")
    }
  }
}
