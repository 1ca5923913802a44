package import PenstockCore

/// What the test lets an operation give, encoded.
package enum GivenResult: Hashable, Sendable {
  case output(Bytes, isFinal: Bool)
  case failure(Failure)
  case finished
  case cancelled
}
