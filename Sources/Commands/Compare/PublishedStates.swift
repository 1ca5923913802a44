package import PenstockCore

/// A few of many states, spread over all of them.
package struct PublishedStates: Sendable {
  package static let limit = 32

  package private(set) var states: [(asOf: UInt64, bytes: Bytes)] = []
  private var stride = 1
  private var count = 0

  package init() {}

  package mutating func add(_ bytes: Bytes, asOf: UInt64) {
    defer { count += 1 }
    guard count % stride == 0, states.last?.asOf != asOf else { return }
    states.append((asOf, bytes))
    guard states.count > Self.limit else { return }
    states = states.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    stride *= 2
  }
}
