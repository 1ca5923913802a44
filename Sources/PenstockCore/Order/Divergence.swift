/// The first record that does not follow from those before it.
package struct Divergence: Error, Hashable, Sendable, CustomStringConvertible {
  package var sequence: UInt64
  /// A sentence.
  package var message: String

  package init(sequence: UInt64, message: String) {
    self.sequence = sequence
    self.message = message
  }

  package var description: String { "Record \(sequence): \(message)" }
}
