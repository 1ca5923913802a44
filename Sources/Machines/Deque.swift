/// A first-in first-out array: the head is removed in amortised constant time, and what is removed is
/// let go of at once.
package struct Deque<Element> {
  /// nil before the head.
  private var storage = ContiguousArray<Element?>()
  private var head = 0

  package init() {}

  package var count: Int { storage.count - head }
  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : storage[head] }
  package var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

  package subscript(index: Int) -> Element {
    get { storage[head + index]! }
    _modify { yield &storage[head + index]! }
  }

  package mutating func append(_ element: Element) { storage.append(element) }

  package mutating func removeFirst() -> Element {
    let element = storage[head].take()!
    head += 1
    compact()
    return element
  }

  package mutating func removeFirst(_ count: Int) {
    for index in head..<head + count { storage[index] = nil }
    head += count
    compact()
  }

  /// Moving what is left costs no more than what went.
  private mutating func compact() {
    guard head > 32, head * 2 > storage.count else { return }
    storage.removeFirst(head)
    head = 0
  }

  package mutating func removeLast() { storage.removeLast() }

  package mutating func insert(_ element: Element, at index: Int) {
    storage.insert(element, at: head + index)
  }

  package func firstIndex(where predicate: (Element) -> Bool) -> Int? {
    indices.first { predicate(self[$0]) }
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
    storage.removeAll { predicate($0!) }
  }

  package var indices: Range<Int> { 0..<count }
}

extension Deque: Sequence {
  package struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<Element?>.Iterator

    package mutating func next() -> Element? { rest.next() ?? nil }
  }

  package func makeIterator() -> Iterator {
    Iterator(rest: ArraySlice(storage[head...]).makeIterator())
  }

  package var underestimatedCount: Int { count }
}

extension Deque: Sendable where Element: Sendable {}
