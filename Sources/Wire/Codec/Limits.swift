import PenstockCore

/// Bounds on everything that a peer can make the other side hold. They are part of the protocol
/// (`Protocols/1-FRAME.md`): a decoder refuses what exceeds them, an encoder never makes it.
package enum Limits {
  package static let frame = 32 << 20
  package static let messagesPerFrame = 1_024
  package static let path = 1_024
  /// An action's payload, an operation's input, an output's value.
  package static let payload = 1 << 20
  /// A state, a patch's value, the body of a reply.
  package static let state = 16 << 20
  package static let description = 1 << 20
  package static let cursor = 64 << 10
  /// Names of peers, operations, queues, cases, cancel ids.
  package static let name = 1_024
  /// Sentences for people; longer ones are cut off by the encoder.
  package static let text = 4_096
  package static let sendsPerTransition = 1_024
  package static let effectsPerTransition = 4_096
  package static let mountsPerTransition = 65_536
  /// Values of other features that one stage reads; together they are at most as long as a payload.
  package static let sharedValues = 1_024
  package static let diagnosticsPerTransition = 64
  package static let patchOperations = 262_144
  /// A name in a patch's path enters an array or an object, so as many as a state may nest.
  package static let patchDepth = JSONReader.maximumDepth
  package static let cancelIDs = 64
  package static let outputCases = 16
  package static let queues = 64
  package static let runningEffects = 65_536
  /// Microseconds of an interval or a time-out (36,000 years): sums of them don't overflow.
  package static let time: Int64 = 1 << 60
  /// Messages that a peer may send before it heard the other side's credit.
  package static let initialCredit: UInt64 = 64
}
