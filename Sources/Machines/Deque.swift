/// A first-in first-out array: both ends are reached in constant time, nothing moves when the head goes,
/// and what is removed is let go of at once.
package struct Deque<Element> {
  /// As many places as a power of two, used in a circle; nil where nothing stands.
  private var storage = ContiguousArray<Element?>()
  private var head = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : storage[head] }
  package var last: Element? { isEmpty ? nil : storage[place(count - 1)] }
  package var indices: Range<Int> { 0..<count }

  private static var leastPlaces: Int { 8 }
  /// So many places are given back when the last element goes.
  private static var mostEmptyPlaces: Int { 4_096 }

  private func place(_ index: Int) -> Int { (head + index) & (storage.count - 1) }

  package subscript(index: Int) -> Element {
    get { storage[place(index)]! }
    _modify { yield &storage[place(index)]! }
  }

  package mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[place(count)] = element
    count += 1
  }

  /// Takes twice as many places; the head stands in the first one then.
  private mutating func grow() {
    let places = isEmpty ? Self.leastPlaces : 2 * count
    var larger = ContiguousArray<Element?>()
    larger.reserveCapacity(places)
    for index in 0..<count { larger.append(storage[place(index)].take()) }
    for _ in count..<places { larger.append(nil) }
    storage = larger
    head = 0
  }

  package mutating func removeFirst() -> Element {
    let element = storage[head].take()!
    advance(1)
    return element
  }

  package mutating func removeFirst(_ number: Int) {
    precondition(number <= count)
    for index in 0..<number { storage[place(index)] = nil }
    if number > 0 { advance(number) }
  }

  private mutating func advance(_ number: Int) {
    head = place(number)
    count -= number
    if count == 0, storage.count > Self.mostEmptyPlaces { removeAll() }
  }

  package mutating func removeLast() {
    precondition(count > 0)
    count -= 1
    storage[place(count)] = nil
  }

  package mutating func insert(_ element: Element, at index: Int) {
    append(element)
    var place = count - 1
    while place > index {
      swapAt(place, place - 1)
      place -= 1
    }
  }

  package mutating func remove(at index: Int) {
    if index == 0 {
      _ = removeFirst()
    } else {
      for place in index..<count - 1 { swapAt(place, place + 1) }
      removeLast()
    }
  }

  private mutating func swapAt(_ index: Int, _ other: Int) {
    storage.swapAt(place(index), place(other))
  }

  package func firstIndex(where predicate: (Element) -> Bool) -> Int? {
    indices.first { predicate(self[$0]) }
  }

  /// Keeps the leading elements as long as the predicate holds and drops all after them.
  package mutating func truncate(while keep: (Element) -> Bool) {
    while count > 0, !keep(self[count - 1]) { removeLast() }
  }

  package mutating func removeAll() {
    storage = []
    head = 0
    count = 0
  }

  package mutating func removeAll(where predicate: (Element) -> Bool) {
    var kept = 0
    for index in indices where !predicate(self[index]) {
      if kept != index { swapAt(kept, index) }
      kept += 1
    }
    while count > kept { removeLast() }
  }
}

extension Deque: Sequence {
  package struct Iterator: IteratorProtocol {
    fileprivate let deque: Deque
    fileprivate var index = 0

    package mutating func next() -> Element? {
      guard index < deque.count else { return nil }
      defer { index += 1 }
      return deque[index]
    }
  }

  package func makeIterator() -> Iterator { Iterator(deque: self) }

  package var underestimatedCount: Int { count }
}

extension Deque: Sendable where Element: Sendable {}
