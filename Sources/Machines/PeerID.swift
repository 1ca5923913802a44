/// A peer as the router knows it: one link of one incarnation. Never reused within a start.
package struct PeerID: Hashable, Sendable, Comparable {
  package var value: UInt32

  package init(_ value: UInt32) { self.value = value }

  package static func < (left: PeerID, right: PeerID) -> Bool { left.value < right.value }
}
