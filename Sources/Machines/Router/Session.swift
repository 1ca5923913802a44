import PenstockCore
import Wire

/// A client's session: strictly in order of its sequences, each applied once (R16).
struct Session: Sendable {
  var name: String
  var peer: PeerID?
  /// The lowest sequence that is neither numbered nor skipped.
  var next: UInt64 = 1
  /// Actions that wait for a feature that is starting, in order from `next`.
  var held = Deque<Submit>()
  /// Actions that have a number and no outcome yet.
  var unsettled = 0
  /// When the client was last seen to be away, in order time; nil while it is there.
  var awaySince: Int64?
  /// The client said that it won't come back.
  var isOver = false
  /// Outcomes that the client has not confirmed.
  var outcomes = Outcomes()

  init(name: String, peer: PeerID? = nil) {
    self.name = name
    self.peer = peer
  }

  enum Verdict: Sendable {
    case held
    /// It came before, and how it ended if that is known.
    case repeated(ClientOutcome.Status?)
    /// What has to come first.
    case early(UInt64)
    /// So many wait.
    case full(Int)
    case pinned
  }

  /// Takes an action behind those that wait.
  mutating func take(_ submit: Submit, limit: Int, deduplicates: Bool) -> Verdict {
    let expected = next + UInt64(held.count)
    if submit.clientSequence < expected, deduplicates {
      return .repeated(outcomes[submit.clientSequence])
    }
    guard submit.clientSequence <= expected else { return .early(expected) }
    guard held.count < limit else { return .full(held.count) }
    guard submit.generation == nil else { return .pinned }
    held.append(submit)
    return .held
  }

  /// The first that waits; asked for in place.
  mutating func firstHeld() -> Submit? { held.first }

  /// The first that waited has a number.
  mutating func admitted() {
    let submit = held.removeFirst()
    next = max(next, submit.clientSequence + 1)
    unsettled += 1
  }

  /// - Returns: who is to be told.
  mutating func settle(_ sequence: UInt64, _ status: ClientOutcome.Status) -> PeerID? {
    next = max(next, sequence + 1)
    unsettled = max(0, unsettled - 1)
    outcomes.set(sequence, status)
    return peer
  }

  mutating func confirm(through sequence: UInt64) {
    outcomes.removeAll(through: sequence)
  }
}

/// What a client follows.
struct Subscription: Sendable {
  var peer: PeerID
  var id: UInt32
  var path: Path
  /// The cut that the client has; nil before its snapshot.
  var asOf: UInt64?
  /// Whether anything was mounted at the path in that cut.
  var wasMounted = false
}

/// Sessions whose clients are gone don't stay for ever (C-11).
extension RouterMachine {
  static var longestAbsence: Int64 { 24 * 3600 * 1_000_000 }
  static var mostAbsent: Int { 10_000 }

  /// A client's link ended.
  mutating func leave(_ id: UInt64, _ peer: PeerID, isOver: Bool) {
    guard sessions[id]?.peer == peer else { return }
    sessions[id]?.peer = nil
    sessions[id]?.awaySince = sequencer?.now ?? clock.wall
    sessions[id]?.isOver = isOver
    forgetIfOver(id)
  }

  mutating func forgetIfOver(_ id: UInt64) {
    guard let session = sessions[id], session.isOver, session.unsettled == 0,
      session.held.isEmpty
    else { return }
    sessions[id] = nil
    holding.remove(id)
  }

  /// Forgets who is away for too long and, when too many are, who is for longest.
  mutating func forgetAbsentSessions(now: Int64) {
    var absent: [(id: UInt64, since: Int64)] = []
    for (id, session) in sessions where session.peer == nil && session.held.isEmpty {
      // After a restart it begins anew.
      let since = session.awaySince ?? now
      sessions[id]?.awaySince = since
      if since < now - Self.longestAbsence, session.unsettled == 0 {
        sessions[id] = nil
      } else if session.unsettled == 0 {
        absent.append((id, since))
      }
    }
    guard absent.count > Self.mostAbsent else { return }
    absent.sort { ($0.since, $0.id) < ($1.since, $1.id) }
    for (id, _) in absent.dropLast(Self.mostAbsent) { sessions[id] = nil }
  }
}
