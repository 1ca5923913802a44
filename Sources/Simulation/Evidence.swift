import Machines
import PenstockCore
import Wire

/// What was seen as a run went, for its judge.
struct Evidence {
  struct ClientAction: Hashable {
    var session: UInt64
    var sequence: UInt64
  }

  struct Place: Hashable, Comparable {
    var sequence: UInt64
    var path: Path

    static func < (left: Place, right: Place) -> Bool {
      (left.sequence, left.path) < (right.sequence, right.path)
    }
  }

  struct Submitted {
    var path: Path
    var payload: Bytes
    var session: UInt64
    var outcome: ClientOutcome.Status?
  }

  struct Told {
    var start: UInt32
    var cause: UInt64
    var correlation: UInt64
  }

  struct Run {
    var operation: String
    var input: Bytes
  }

  /// What the tap said of a record.
  struct Tapped {
    var isVoid: Bool
    var isUnmounted: Bool
    var patch: Patch?
  }

  /// States that were published, nil where nothing is mounted.
  var published: [Place: Bytes?] = [:]
  /// By sequence what features were told of where a record came from.
  var told: [UInt64: Told] = [:]
  var acknowledged: [ClientAction: ClientOutcome.Status] = [:]
  /// By client and ticket.
  var submitted: [[UInt64: Submitted]] = []
  /// What effects were handed out with.
  var assigned: [EffectID: Run] = [:]
  var tapped: [UInt64: Tapped] = [:]
  /// Deaths of a process while its only work was a record of this origin.
  var loneDeaths: [Origin: Int] = [:]
}
