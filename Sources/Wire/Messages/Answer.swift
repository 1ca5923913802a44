package import PenstockCore

/// A node's answer to one piece of work.
package struct Answer: Hashable, Sendable {
  package enum Result: Hashable, Sendable {
    case reduced(Transition)
    /// The payload is not an action of that path.
    case undecodable(String)
    /// What the reducer made of it exceeds a limit of the protocol, with the reason.
    case tooLarge(String)
  }

  package var sequence: UInt64
  package var epoch: Epoch
  package var result: Result

  package init(sequence: UInt64, epoch: Epoch, result: Result) {
    self.sequence = sequence
    self.epoch = epoch
    self.result = result
  }
}
