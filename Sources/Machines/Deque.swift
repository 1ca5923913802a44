/// A first-in first-out array: the head is removed in amortised constant time.
package struct Deque<Element> {
  private var storage: [Element] = []
  private var head = 0

  package init() {}

  package var count: Int { storage.count - head }
  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : storage[head] }
  package var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

  package subscript(index: Int) -> Element {
    get { storage[head + index] }
    _modify { yield &storage[head + index] }
  }

  package mutating func append(_ element: Element) { storage.append(element) }

  package mutating func removeFirst() -> Element {
    let element = storage[head]
    head += 1
    if head > 32, head * 2 > storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  package mutating func insert(_ element: Element, at index: Int) {
    storage.insert(element, at: head + index)
  }

  package func firstIndex(where predicate: (Element) -> Bool) -> Int? {
    storage[head...].firstIndex(where: predicate).map { $0 - head }
  }

  package mutating func remove(at index: Int) {
    if index == 0 { _ = removeFirst() } else { storage.remove(at: head + index) }
  }

  /// Keeps the leading elements as long as the predicate holds and drops all after them.
  package mutating func truncate(while keep: (Element) -> Bool) {
    while let last, !keep(last) { storage.removeLast() }
  }

  package mutating func removeAll() {
    storage.removeAll()
    head = 0
  }

  package mutating func removeAll(where predicate: (Element) -> Bool) {
    storage.removeFirst(head)
    head = 0
    storage.removeAll(where: predicate)
  }
}

extension Deque: Sequence {
  package func makeIterator() -> ArraySlice<Element>.Iterator { storage[head...].makeIterator() }
}

extension Deque: Sendable where Element: Sendable {}

extension Deque {
  package func slice(_ range: Range<Int>) -> ArraySlice<Element> {
    storage[head + range.lowerBound..<head + range.upperBound]
  }
}
