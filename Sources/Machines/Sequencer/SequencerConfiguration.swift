/// How far nodes run ahead of an ancestor that may write to them (R4).
package enum WindowPolicy: Hashable, Sendable {
  case fixed(Int)
  /// Starts at the bound, halves at each squash, grows by one at every fourth clean retirement.
  case adaptive(bound: Int)

  var bound: Int {
    switch self {
    case .fixed(let size): size
    case .adaptive(let bound): bound
    }
  }
}

package struct SequencerConfiguration: Sendable {
  package var window: WindowPolicy = .adaptive(bound: 1_024)
  /// How long a node may owe an answer whose inputs are there (R2), in microseconds.
  package var stageDeadline: Int64 = 2_000_000
  /// How long catching up may go on before the process is given up.
  package var catchUpDeadline: Int64 = 60_000_000
  /// Items that a node has and has not answered, at the most.
  package var issueLimit = 1_024
  /// Sends that may wait without a number for one node, at the most.
  package var waitingLimit = 100_000
  package var sendsPerTransition = 1_024
  /// Mixed into each record's seed.
  package var seed: UInt64 = 0
  package var faults = PlantedFaults()

  package init() {}
}
