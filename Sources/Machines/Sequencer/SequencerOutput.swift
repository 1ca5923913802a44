package import PenstockCore
package import Wire

/// What the sequencer wants done or known, in order.
package enum SequencerOutput: Sendable {
  case toNode(Int, Message)
  case append([JournalEntry], ticket: UInt64)
  case committed(Committed)
  case nodeChanged(Int, NodeStatus)
  /// The node's process is given up: end its link.
  case fence(PeerID, String)
  /// Effects that live no longer, known at retirement; what was not started need not be.
  case effectsEnded([EffectID])
  indirect case markerReleased(ReleasedMarker)
  case markerDropped
  /// Only under a planted fault: an effect begins before its action is durable.
  case startedEarly(EffectID)
}
