/// A set that keeps the order in which its members were added, so that it is the same in every
/// process. Encoded as an array.
public struct OrderedSet<Element: Hashable & Sendable>: Sendable {
  public private(set) var elements: [Element] = []
  private var indices: [Element: Int] = [:]

  public init() {}

  /// Keeps the first of equal elements.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  public func contains(_ element: Element) -> Bool { indices[element] != nil }
  public func firstIndex(of element: Element) -> Int? { indices[element] }

  /// - Returns: false when the element was there already.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool { insert(element, at: elements.count) }

  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> Bool {
    guard indices[element] == nil else { return false }
    elements.insert(element, at: index)
    reindex(index..<elements.count)
    return true
  }

  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    guard let index = indices[element] else { return nil }
    return remove(at: index)
  }

  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let element = elements.remove(at: index)
    indices[element] = nil
    reindex(index..<elements.count)
    return element
  }

  /// Moves the element at `source` so that it stands at `target` afterwards.
  public mutating func move(from source: Int, to target: Int) {
    elements.insert(elements.remove(at: source), at: target)
    reindex(Swift.min(source, target)..<(Swift.max(source, target) + 1))
  }

  public mutating func removeAll() {
    elements = []
    indices = [:]
  }

  private mutating func reindex(_ range: Range<Int>) {
    for index in range { indices[elements[index]] = index }
  }
}

extension OrderedSet: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position] }
}

extension OrderedSet: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }
}

extension OrderedSet: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension OrderedSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension OrderedSet: JSONCodable where Element: JSONCodable {
  public func encode(to writer: inout JSONWriter) { elements.encode(to: &writer) }
  public init(from reader: inout JSONReader) throws(JSONError) {
    self.init(try [Element](from: &reader))
  }
  public static func shape(into shape: inout JSONShape) { shape.append([Element].self) }
}

extension OrderedSet: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension OrderedSet: Decodable where Element: Decodable {
  public init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}
