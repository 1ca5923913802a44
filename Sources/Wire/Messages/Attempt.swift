/// The attempt of an effect: the router's start and a number within it.
package struct Attempt: Hashable, Sendable, Comparable {
  package var start: UInt32
  package var number: UInt32

  package init(start: UInt32, number: UInt32) {
    self.start = start
    self.number = number
  }

  package static func < (left: Attempt, right: Attempt) -> Bool {
    (left.start, left.number) < (right.start, right.number)
  }
}
