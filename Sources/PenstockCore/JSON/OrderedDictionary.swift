/// A dictionary that keeps the order in which its keys were added, so that it is the same in every
/// process. Encoded as an object; its changes are insertions, removals, moves and changes of values.
public struct OrderedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  public private(set) var keys = OrderedSet<Key>()
  @usableFromInline private(set) var storage = ChunkedArray<Value>()

  public init() {}

  /// A copy of all values, in their order; to read one or a few, use `subscript(position:)`.
  public var values: [Value] { storage.elements }
  public var count: Int { storage.count }
  public var isEmpty: Bool { storage.isEmpty }

  public subscript(key: Key) -> Value? {
    get { keys.firstIndex(of: key).map { storage[$0] } }
    set {
      switch (keys.firstIndex(of: key), newValue) {
      case (let index?, let value?): storage[index] = value
      case (nil, let value?):
        keys.append(key)
        storage.append(value)
      case (let index?, nil): remove(at: index)
      case (nil, nil): break
      }
    }
  }

  public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
    get { self[key] ?? fallback() }
    _modify {
      if !keys.contains(key) {
        keys.append(key)
        storage.append(fallback())
      }
      yield &storage[keys.firstIndex(of: key)!]
    }
  }

  /// The value at a position, to be read or changed in place.
  public subscript(position index: Int) -> Value {
    get { storage[index] }
    _modify { yield &storage[index] }
  }

  /// Inserts a new key; nothing happens when it is there already.
  /// - Returns: whether it was inserted.
  @discardableResult
  public mutating func insert(_ value: Value, for key: Key, at index: Int) -> Bool {
    guard keys.insert(key, at: index) else { return false }
    storage.insert(value, at: index)
    return true
  }

  @discardableResult
  public mutating func remove(at index: Int) -> Value {
    keys.remove(at: index)
    return storage.remove(at: index)
  }

  public mutating func removeAll() {
    keys.removeAll()
    storage.removeAll()
  }

  /// Moves what is at `source` so that it stands at `target` afterwards.
  public mutating func move(from source: Int, to target: Int) {
    keys.move(from: source, to: target)
    storage.insert(storage.remove(at: source), at: target)
  }
}

extension OrderedDictionary: Sequence {
  public struct Iterator: IteratorProtocol {
    fileprivate let dictionary: OrderedDictionary
    private var index = 0

    fileprivate init(_ dictionary: OrderedDictionary) { self.dictionary = dictionary }

    public mutating func next() -> (Key, Value)? {
      guard index < dictionary.count else { return nil }
      defer { index += 1 }
      return (dictionary.keys[index], dictionary.storage[index])
    }
  }

  public func makeIterator() -> Iterator { Iterator(self) }
}

extension OrderedDictionary: ExpressibleByDictionaryLiteral {
  /// The last of equal keys wins.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    for (key, value) in elements { self[key] = value }
  }
}

extension OrderedDictionary: Equatable where Value: Equatable {
  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.keys == right.keys && left.storage == right.storage
  }
}

extension OrderedDictionary: Hashable where Value: Hashable {}

extension OrderedDictionary: Encodable where Key: Encodable, Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for (key, value) in self {
      try container.encode(key)
      try container.encode(value)
    }
  }
}

extension OrderedDictionary: Decodable where Key: Decodable, Value: Decodable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      self[try container.decode(Key.self)] = try container.decode(Value.self)
    }
  }
}
