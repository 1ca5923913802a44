/// A path of features, one upon the other, of which each can take itself and what is above it away.
///
/// Element ids count up and are part of the encoded state with the next one, so they are the same
/// in every process, and one that was taken away does not come again.
public struct StackState<Element: JSONCodable>: Sendable {
  private var elements = OrderedDictionary<StackElementID, Element>()
  /// The id that the next element gets.
  public private(set) var nextID = StackElementID(0)

  public init() {}

  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  public var ids: OrderedSet<StackElementID> { elements.keys }

  /// Reads or replaces an element, or takes it alone away (by nil).
  public subscript(id id: StackElementID) -> Element? {
    get { elements[id] }
    set {
      precondition(
        newValue == nil || ids.contains(id), "An element gets its id by being appended")
      elements[id] = newValue
    }
  }

  @discardableResult
  public mutating func append(_ element: Element) -> StackElementID {
    let id = nextID
    elements[id] = element
    nextID = StackElementID(id.generation + 1)
    return id
  }

  public mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Takes away the element and all above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = ids.firstIndex(of: id) else { return }
    while elements.count > index { elements.remove(at: elements.count - 1) }
  }

  /// Takes away all above the element.
  public mutating func pop(to id: StackElementID) {
    guard let index = ids.firstIndex(of: id) else { return }
    while elements.count > index + 1 { elements.remove(at: elements.count - 1) }
  }

  public mutating func removeLast() {
    if !elements.isEmpty { elements.remove(at: elements.count - 1) }
  }

  public mutating func removeAll() { elements.removeAll() }

  /// Changes an element in place; nil when there is none of this id.
  @discardableResult
  public mutating func update<R, E: Error>(
    id: StackElementID, _ body: (inout Element) throws(E) -> R
  ) throws(E) -> R? {
    guard let index = ids.firstIndex(of: id) else { return nil }
    return try body(&elements[position: index])
  }

  /// Puts an element at the end under an id that somebody else chose.
  mutating func push(_ element: Element, id: StackElementID) {
    elements[id] = element
    nextID = Swift.max(nextID, StackElementID(id.generation + 1))
  }
}

extension StackState: Equatable {}

extension StackState: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position: position] }
}

extension StackState: JSONCodable {
  public func encode(to writer: inout JSONWriter) {
    writer.raw("{\"next\":")
    nextID.encode(to: &writer)
    writer.raw(",\"elements\":")
    elements.encode(to: &writer)
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginObject()
    while try reader.nextMember() {
      if reader.isKey("next") {
        nextID = try StackElementID(from: &reader)
      } else if reader.isKey("elements") {
        elements = try OrderedDictionary(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
    if let last = ids.max(), last >= nextID {
      throw reader.error("The next id of a stack is above those that it has")
    }
  }

  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.member("next", old.nextID, new.nextID)
    patch.member("elements", old.elements, new.elements)
  }

  public mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    switch path.first {
    case "next": try nextID.apply(change, at: path.dropFirst())
    case "elements": try elements.apply(change, at: path.dropFirst())
    default: try replace(by: change, at: path)
    }
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("<stack:")
    shape.append(Element.self)
    shape.append(">")
  }
}

extension StackState: ElementCollection {
  package typealias ElementState = Element
  package static var members: [String] { ["elements"] }
}

/// The next id, then each id before its element.
extension StackState: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(nextID.generation)
    for (id, element) in zip(elements.keys, elements.values) {
      try container.encode(id.generation)
      try container.encode(element)
    }
  }
}

extension StackState: Decodable where Element: Decodable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    nextID = StackElementID(try container.decode(Int.self))
    while !container.isAtEnd {
      let id = StackElementID(try container.decode(Int.self))
      elements[id] = try container.decode(Element.self)
    }
  }
}

extension StackState: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self, unlabeledChildren: zip(elements.keys, elements.values).map { (key: $0, value: $1) },
      displayStyle: .dictionary)
  }
}
