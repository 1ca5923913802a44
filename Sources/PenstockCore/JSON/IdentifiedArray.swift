/// Elements in an order, found by their id at once. The collection of `forEach`; encoded as an
/// object whose member names are the canonical texts of the ids.
public struct IdentifiedArray<ID: CanonicalID, Element: Identifiable & Sendable>: Sendable
where Element.ID == ID {
  @usableFromInline var storage = OrderedDictionary<ID, Element>()

  public init() {}

  /// - Precondition: the ids are unique.
  public init(uniqueElements elements: some Sequence<Element>) {
    for element in elements {
      precondition(append(element).inserted, "An id stands twice: \(element.id)")
    }
  }

  public var ids: OrderedSet<ID> { storage.keys }
  /// A copy of all elements; the collection itself gives them one by one.
  public var elements: [Element] { storage.values }

  /// Reads, replaces (under the same id), adds at the end, or removes (by nil) an element.
  public subscript(id id: ID) -> Element? {
    get { storage[id] }
    set {
      precondition(newValue.map { $0.id == id } ?? true, "An element keeps its id")
      storage[id] = newValue
    }
  }

  /// Changes the element at an index in place; it has to keep its id.
  public mutating func update<R, E: Error>(
    at index: Int, _ body: (inout Element) throws(E) -> R
  ) throws(E) -> R {
    let result = try body(&storage[position: index])
    precondition(storage[position: index].id == ids[index], "An element keeps its id")
    return result
  }

  /// Changes an element in place; nil when there is none of this id.
  @discardableResult
  public mutating func update<R, E: Error>(
    id: ID, _ body: (inout Element) throws(E) -> R
  ) throws(E) -> R? {
    guard let index = ids.firstIndex(of: id) else { return nil }
    return try update(at: index, body)
  }

  /// Changes every element in place.
  public mutating func updateAll(_ body: (inout Element) throws -> Void) rethrows {
    for index in indices { try update(at: index, body) }
  }

  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: count)
  }

  /// Inserts a new element; when there is one of the same id it stays as it is.
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> (inserted: Bool, index: Int) {
    if let existing = ids.firstIndex(of: element.id) { return (false, existing) }
    storage.insert(element, for: element.id, at: index)
    return (true, index)
  }

  /// Replaces the element of the same id, or appends.
  public mutating func updateOrAppend(_ element: Element) { storage[element.id] = element }

  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    ids.firstIndex(of: id).map { storage.remove(at: $0) }
  }

  @discardableResult
  public mutating func remove(at index: Int) -> Element { storage.remove(at: index) }

  public mutating func removeAll() { storage.removeAll() }

  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    for index in indices.reversed() where try isRemoved(self[index]) { remove(at: index) }
  }

  /// Moves the element at `source` so that it stands at `target` afterwards.
  public mutating func move(from source: Int, to target: Int) {
    storage.move(from: source, to: target)
  }
}

public typealias IdentifiedArrayOf<Element: Identifiable & Sendable> =
  IdentifiedArray<Element.ID, Element> where Element.ID: CanonicalID

extension IdentifiedArray: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.count }
  public subscript(position: Int) -> Element { storage[position: position] }
}

extension IdentifiedArray: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {}
extension IdentifiedArray: Hashable where Element: Hashable {}

extension IdentifiedArray: JSONCodable where Element: JSONCodable {
  public func encode(to writer: inout JSONWriter) { storage.encode(to: &writer) }

  public init(from reader: inout JSONReader) throws(JSONError) {
    storage = try OrderedDictionary(from: &reader)
    for index in indices where ids[index] != self[index].id {
      throw reader.error("The element at “\(ids[index].canonicalText)” has another id")
    }
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append(OrderedDictionary<ID, Element>.self)
  }

  @inlinable
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    OrderedDictionary.difference(from: old.storage, to: new.storage, into: &patch)
  }

  public mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    if path.isEmpty { return try replace(by: change, at: path) }
    try storage.apply(change, at: path)
    if let name = path.first, let id = ID(canonicalText: name), let index = ids.firstIndex(of: id),
      self[index].id != id
    {
      throw JSONError(offset: 0, message: "The element at “\(name)” has another id")
    }
  }
}

extension IdentifiedArray: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension IdentifiedArray: Decodable where Element: Decodable {
  public init(from decoder: any Decoder) throws {
    for element in try [Element](from: decoder) where !append(element).inserted {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "An id stands twice"))
    }
  }
}
