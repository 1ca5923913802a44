/// Events by time; equal times in the order in which they were added.
package struct EventQueue<Event> {
  private var heap: [(time: Int64, serial: UInt64, event: Event)] = []
  private var serial: UInt64 = 0

  package init() {}

  package var isEmpty: Bool { heap.isEmpty }

  package mutating func add(_ event: Event, at time: Int64) {
    serial += 1
    heap.append((time, serial, event))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard isBefore(child, parent) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  package mutating func removeFirst() -> (time: Int64, event: Event)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.time, first.event)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if isBefore(child, smallest) { smallest = child }
      }
      if smallest == parent { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].time, heap[left].serial) < (heap[right].time, heap[right].serial)
  }
}
