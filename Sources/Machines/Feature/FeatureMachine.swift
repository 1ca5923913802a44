package import PenstockCore
package import Wire

/// A feature's machine with its types erased.
package protocol FeatureMachine: Sendable {
  /// The highest sequence that was reduced.
  var position: UInt64 { get }
  var rare: RarePaths { get }
  /// Takes a message and appends what it wants done.
  mutating func handle(_ message: Message, into outputs: inout [FeatureOutput])
}

extension FeatureMachine {
  package mutating func handle(_ message: Message) -> [FeatureOutput] {
    var outputs: [FeatureOutput] = []
    handle(message, into: &outputs)
    return outputs
  }

  /// What is sent instead of a message that exceeds a limit of the protocol: the router voids the
  /// record with a code, and the process lives. nil for a message without such an answer.
  package func replacement(for message: Message, _ error: WireError) -> Message? {
    guard error.code == .tooLarge, case .answer(let answer) = message else { return nil }
    return .answer(
      Answer(
        sequence: answer.sequence, epoch: answer.epoch, result: .tooLarge(error.message)))
  }
}

package func makeFeatureMachine(_ program: any NodeProgram) -> any FeatureMachine {
  FeatureHost(program: program)
}
