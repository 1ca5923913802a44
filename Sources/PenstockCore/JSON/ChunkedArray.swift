/// An array whose copies share what is equal: the first change after a copy duplicates 32 elements and
/// two lists, not every element. States with large collections are copied often: for what may be rolled
/// back, and for the difference that an action makes.
///
/// Groups hold chunks and chunks hold elements. All but the last are full, so an element is found by
/// its index alone.
@usableFromInline
struct ChunkedArray<Element> {
  @inlinable static var size: Int { 32 }

  @usableFromInline var groups: [[[Element]]] = []
  @usableFromInline private(set) var count = 0

  init() {}

  var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for group in groups { for chunk in group { elements += chunk } }
    return elements
  }

  private var chunkCount: Int { (count + Self.size - 1) / Self.size }

  mutating func append(_ element: Element) { insert(element, at: count) }

  mutating func insert(_ element: Element, at index: Int) {
    precondition(0...count ~= index, "The index \(index) is beyond \(count)")
    let chunkCount = chunkCount
    let isLastFull = count == chunkCount * Self.size
    count += 1
    var element = element
    var (chunk, offset) = index.quotientAndRemainder(dividingBy: Self.size)
    while chunk < chunkCount {
      let (group, place) = chunk.quotientAndRemainder(dividingBy: Self.size)
      guard isLastFull || chunk < chunkCount - 1 else {
        return groups[group][place].insert(element, at: offset)
      }
      let last = groups[group][place].removeLast()
      groups[group][place].insert(element, at: offset)
      (element, offset) = (last, 0)
      chunk += 1
    }
    if chunk.isMultiple(of: Self.size) { groups.append([]) }
    groups[groups.count - 1].append([element])
  }

  @discardableResult
  mutating func remove(at index: Int) -> Element {
    let chunkCount = chunkCount
    let (chunk, offset) = index.quotientAndRemainder(dividingBy: Self.size)
    var (group, place) = chunk.quotientAndRemainder(dividingBy: Self.size)
    let element = groups[group][place].remove(at: offset)
    for next in (chunk + 1)..<Swift.max(chunk + 1, chunkCount) {
      let (nextGroup, nextPlace) = next.quotientAndRemainder(dividingBy: Self.size)
      groups[group][place].append(groups[nextGroup][nextPlace].removeFirst())
      (group, place) = (nextGroup, nextPlace)
    }
    if groups[group][place].isEmpty { groups[group].removeLast() }
    if groups[group].isEmpty { groups.removeLast() }
    count -= 1
    return element
  }

  mutating func removeAll() {
    groups = []
    count = 0
  }
}

extension ChunkedArray: RandomAccessCollection {
  @usableFromInline var startIndex: Int { 0 }
  @usableFromInline var endIndex: Int { count }

  @inlinable subscript(index: Int) -> Element {
    get {
      let chunk = index / Self.size
      return groups[chunk / Self.size][chunk % Self.size][index % Self.size]
    }
    _modify {
      let chunk = index / Self.size
      yield &groups[chunk / Self.size][chunk % Self.size][index % Self.size]
    }
  }
}

extension ChunkedArray where Element: Equatable {
  /// The indices, among those that both have, of what differs. What is shared is not looked at.
  @inlinable func differences(from old: Self) -> [Int] {
    var indices: [Int] = []
    for group in 0..<Swift.min(groups.count, old.groups.count)
    where groups[group] != old.groups[group] {
      for place in 0..<Swift.min(groups[group].count, old.groups[group].count)
      where groups[group][place] != old.groups[group][place] {
        let first = (group * Self.size + place) * Self.size
        for offset in 0..<Swift.min(groups[group][place].count, old.groups[group][place].count)
        where groups[group][place][offset] != old.groups[group][place][offset] {
          indices.append(first + offset)
        }
      }
    }
    return indices
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}

extension ChunkedArray: Equatable where Element: Equatable {
  @inlinable static func == (left: Self, right: Self) -> Bool { left.groups == right.groups }
}

extension ChunkedArray: Hashable where Element: Hashable {
  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(groups) }
}
