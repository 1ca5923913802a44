/// Sizes and times of a link; times are microseconds of the monotonic clock.
package struct LinkSettings: Hashable, Sendable {
  /// How many messages the other side may send beyond what was received.
  package var window: UInt64 = 1_024
  package var batchMessages = 256
  /// A frame ends before it exceeds this; a single larger message has a frame of its own.
  package var batchBytes = 256 << 10
  /// No new message is sent while this many bytes are not acknowledged.
  package var bytesInFlight = 32 << 20
  /// What may wait in all. A peer that lets more pile up is cut off.
  package var outboxMessages = 65_536
  package var outboxBytes = 128 << 20
  package var acknowledgeDelay: Int64 = 10_000
  package var resendInterval: Int64 = 250_000
  package var maximumResendInterval: Int64 = 1_000_000
  package var heartbeatInterval: Int64 = 250_000
  package var livenessTimeout: Int64 = 1_000_000

  /// A planted bug, set by the simulator only: what comes after a gap is taken as if it were next.
  package var ignoresGaps = false

  package init() {}
}
