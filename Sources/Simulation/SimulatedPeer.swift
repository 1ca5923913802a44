import Machines
import PenstockCore
import Wire

/// A process that talks to the router.
struct SimulatedPeer {
  enum Kind {
    case feature(Path)
    case worker(String)
    case client(String)
  }

  var kind: Kind
  var life = 0
  var isAlive = false
  var connection = 0
  var lastToPeer: Int64 = 0
  var lastToRouter: Int64 = 0
  var wakeAt: Int64?
  var stoppedUntil: Int64?
  /// What a hanging feature has not taken yet; nil while it works.
  var backlog: [Message]?
  var link: LinkClient?
  var feature: (any FeatureMachine)?
  var worker: WorkerHost?
  var client: ClientMachine?
  var operations: [EffectID: SimulatedOperation] = [:]
  /// What a client follows, by subscription, and which of it is the whole state.
  var followed: [UInt32: Path] = [:]
  var root: UInt32?
  /// The cuts that a client's mirrors show.
  var asOf: [UInt32: UInt64] = [:]
  /// A client's questions without an answer.
  var requests: Set<UInt32> = []

  init(kind: Kind) { self.kind = kind }

  static let slots: UInt32 = 4
}
