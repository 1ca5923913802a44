extension OrderedDictionary: JSONCodable where Key: CanonicalID, Value: JSONCodable {
  public func encode(to writer: inout JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    var isFirst = true
    for (key, value) in self {
      if !isFirst { writer.byte(UInt8(ascii: ",")) }
      isFirst = false
      writer.key(key.canonicalText)
      value.encode(to: &writer)
    }
    writer.byte(UInt8(ascii: "}"))
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginObject()
    while try reader.nextMember() {
      let key = try Self.key(try reader.keyText(), offset: reader.offset)
      let value = try Value(from: &reader)
      guard insert(value, for: key, at: count) else {
        throw reader.error("“\(key.canonicalText)” stands twice in a collection")
      }
    }
  }

  private static func key(_ text: String, offset: Int) throws(JSONError) -> Key {
    guard let key = Key(canonicalText: text) else {
      throw JSONError(offset: offset, message: "“\(text)” is not a \(Key.self)")
    }
    return key
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("{*")
    shape.append(Key.self)
    shape.append(":")
    shape.append(Value.self)
    shape.append("}")
  }

  /// Removals first, then changes of what stays, then insertions and moves from the front.
  @inlinable
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    // Most often nothing was moved or removed; equality is then all that an element costs.
    if new.count >= old.count, new.keys.elements[..<old.count] == old.keys.elements[...] {
      return differenceOfAppended(from: old, to: new, into: &patch)
    }
    let hasCommon = old.keys.contains { new.keys.contains($0) }
    guard hasCommon else { return patch.set(new) }
    for key in old.keys.reversed() where !new.keys.contains(key) {
      patch.member(key.canonicalText, .remove)
    }
    for (index, key) in old.keys.enumerated() {
      guard let newIndex = new.keys.firstIndex(of: key), old.storage[index] != new.storage[newIndex]
      else { continue }
      patch.member(key.canonicalText, old.storage[index], new.storage[newIndex])
    }
    differenceOfOrder(from: old, to: new, into: &patch)
  }

  @inlinable static func differenceOfAppended(
    from old: Self, to new: Self, into patch: inout PatchBuilder
  ) {
    for index in new.storage.differences(from: old.storage) {
      patch.member(old.keys[index].canonicalText, old.storage[index], new.storage[index])
    }
    for index in old.count..<new.count {
      patch.member(
        new.keys[index].canonicalText, .insert(JSONWriter.bytes(of: new.storage[index]), at: index))
    }
  }

  @usableFromInline static func differenceOfOrder(
    from old: Self, to new: Self, into patch: inout PatchBuilder
  ) {
    var order = old.keys.elements.filter { new.keys.contains($0) }
    var index = 0
    while index < new.count {
      let key = new.keys[index]
      if index < order.count, order[index] == key {
        index += 1
      } else if !old.keys.contains(key) {
        patch.member(
          key.canonicalText, .insert(JSONWriter.bytes(of: new.storage[index]), at: index))
        order.insert(key, at: index)
        index += 1
      } else if index + 1 < order.count, order[index + 1] == key {
        // One step ahead: what stands in the way goes to its own place.
        let blocking = order.remove(at: index)
        let target = Swift.min(new.keys.firstIndex(of: blocking) ?? index, order.count)
        order.insert(blocking, at: target)
        patch.member(blocking.canonicalText, .move(to: target))
      } else {
        order.removeAll { $0 == key }
        order.insert(key, at: index)
        patch.member(key.canonicalText, .move(to: index))
        index += 1
      }
    }
  }

  public mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    guard let name = path.first else { return try replace(by: change, at: path) }
    let key = try Self.key(name, offset: 0)
    let index = keys.firstIndex(of: key)
    let rest = path.dropFirst()
    if let index, !rest.isEmpty { return try self[position: index].apply(change, at: rest) }
    switch (change, index) {
    case (.set(let bytes), let index?) where rest.isEmpty:
      self[position: index] = try JSONReader.decode(from: bytes)
    case (.set(let bytes), nil) where rest.isEmpty:
      insert(try JSONReader.decode(from: bytes), for: key, at: count)
    case (.insert(let bytes, let position), nil) where rest.isEmpty && 0...count ~= position:
      insert(try JSONReader.decode(from: bytes), for: key, at: position)
    case (.remove, let index?): remove(at: index)
    case (.move(let target), let index?) where 0..<count ~= target: move(from: index, to: target)
    default:
      throw JSONError(offset: 0, message: "A patch does not fit the collection at “\(name)”")
    }
  }
}
