/// Figures of one run, for `ps`, the simulator and `compare`.
package struct SequencerCounts: Hashable, Sendable {
  package var records = 0
  package var squashes = 0
  /// Squashes because a mount went away under younger work.
  package var unmounts = 0
  package var voids = 0
  package var restarts = 0
  package var staleAnswers = 0
  /// What a node was given though it had something younger; without a squash that is never right.
  package var givenLate = 0

  package init() {}
}
