package import PenstockCore
import Wire

/// What `ps` and `effects` show.
extension EffectScheduler {
  package struct Snapshot: Hashable, Sendable {
    package struct Effect: Hashable, Sendable {
      package var id: EffectID
      /// `queued`, `started` or `backoff`, as in `Protocols/9-CONTROL.md`.
      package var state: String
      package var worker: String?
      package var attempt: UInt32
      /// Wall clock, in microseconds.
      package var since: Int64
      /// Wall clock at which an attempt times out or the next one begins.
      package var due: Int64?
    }

    package struct Worker: Hashable, Sendable {
      package var peer: PeerID
      package var name: String
      /// `up` or `draining`.
      package var state: String
      package var since: Int64
      package var slots: UInt32
      package var running: Int
      package var outputs: Int
    }

    package var effects: [Effect] = []
    package var workers: [Worker] = []
    /// Names of operations that are queued while no worker serves them.
    package var unserved: Set<String> = []
  }

  /// Attempts that counted; 0 when this start of the router knows of none.
  func tries(of id: EffectID) -> UInt32 { effects[id]?.tries ?? 0 }

  package func snapshot() -> Snapshot {
    var result = Snapshot()
    for (id, effect) in effects.sorted(by: { $0.key < $1.key }) {
      let state =
        switch effect.state {
        case .queued: "queued"
        case .running, .over: "started"
        case .backingOff: "backoff"
        }
      result.effects.append(
        Snapshot.Effect(
          id: id, state: state, worker: peer(of: effect).flatMap { workers[$0]?.name },
          attempt: effect.attempt?.number ?? 0, since: effect.since,
          due: effect.due.map { clock.wall.adding($0 - clock.monotonic) }))
      if effect.state == .queued, !workers.values.contains(where: { $0.serves(effect.kind) }) {
        result.unserved.insert(effect.name)
      }
    }
    for (peer, worker) in workers.sorted(by: { ($0.value.name, $0.key) < ($1.value.name, $1.key) })
    {
      result.workers.append(
        Snapshot.Worker(
          peer: peer, name: worker.name, state: worker.isDraining ? "draining" : "up",
          since: worker.since, slots: worker.slots, running: worker.running.count,
          outputs: worker.outputs))
    }
    return result
  }
}
