package import Penstock

/// What one record did, for the store to look at.
package struct TestStep<State> {
  package var before: State
  package var after: State
  package var sequence: UInt64
  /// The inputs of the action: what an expectation draws is what the reducer drew.
  package var inputs: TransitionInputs
  /// Sentences about what was probably not meant.
  package var complaints: [String] = []

  package init(before: State, after: State, sequence: UInt64, inputs: TransitionInputs) {
    self.before = before
    self.after = after
    self.sequence = sequence
    self.inputs = inputs
  }
}
