package import PenstockCore
package import Wire

/// A feature's machine with its types erased.
package protocol FeatureMachine: Sendable {
  /// The highest sequence that was reduced.
  var position: UInt64 { get }
  var rare: RarePaths { get }
  mutating func handle(_ message: Message) -> [FeatureOutput]
}

extension FeatureMachine {
  /// What is sent instead of a message that exceeds a limit of the protocol: the router voids the
  /// record with a code, and the process lives. nil for a message without such an answer.
  package func replacement(for message: Message, _ error: WireError) -> Message? {
    guard error.code == .tooLarge, case .answer(let answer) = message else { return nil }
    return .answer(
      Answer(
        sequence: answer.sequence, epoch: answer.epoch, result: .tooLarge(error.message)))
  }
}

/// Opens the erased program.
package func makeFeatureMachine(_ program: any NodeProgram) -> any FeatureMachine {
  func open<Program: NodeProgram>(_ program: Program) -> any FeatureMachine {
    FeatureHost(program: program)
  }
  return open(program)
}
