/// (start, squash), compared in this order. A start of a router is journaled and fences other
/// writers; squash begins at 0 with each start.
package struct Epoch: Hashable, Sendable, Comparable {
  package var start: UInt32
  package var squash: UInt32

  package init(start: UInt32, squash: UInt32) {
    self.start = start
    self.squash = squash
  }

  package static let zero = Epoch(start: 0, squash: 0)

  package static func < (left: Epoch, right: Epoch) -> Bool {
    (left.start, left.squash) < (right.start, right.squash)
  }
}
