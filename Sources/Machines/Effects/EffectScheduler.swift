package import PenstockCore
package import Wire

package enum EffectProduct: Hashable, Sendable {
  case output(EffectID, index: UInt32, isFinal: Bool, value: Bytes)
  case failed(EffectID, index: UInt32, code: String, message: String)
  case finished(EffectID)
}

package struct EffectScheduler: Sendable {
  package enum Output: Sendable {
    case send(PeerID, Message)
    case produced(EffectProduct)
    case tap(TapRecord.EffectTap)
  }
  package struct Snapshot: Sendable {
    package struct Effect: Sendable {
      var id: EffectID
      var state: String
      var worker: String?
      var attempt: UInt32
      var since: Int64
      var due: Int64?
    }
    package struct Worker: Sendable {
      var peer: PeerID
      var name: String
      var state: String
      var since: Int64
      var slots: UInt32
      var running: Int
      var outputs: Int
    }
    package var effects: [Effect] = []
    package var workers: [Worker] = []
  }
  struct E {
    var start: EffectStart; var attempt: UInt32; var next: UInt32; var worker: PeerID?;
    var seen: UInt32
  }
  let startNumber: UInt32
  var outputs: [Output] = []
  var effects: [EffectID: E] = [:]
  var workers: [PeerID] = []
  package init(start: UInt32) { startNumber = start }
  package var nextDeadline: Int64? { nil }
  package func snapshot() -> Snapshot { Snapshot() }
  package mutating func drainOutputs() -> [Output] { defer { outputs = [] }; return outputs }
  package mutating func start(
    _ id: EffectID, _ s: EffectStart, nextIndex: UInt32, cursor: Bytes, at c: ClockReading
  ) {
    guard effects[id] == nil else { return }
    effects[id] = E(start: s, attempt: 0, next: nextIndex, worker: nil, seen: nextIndex)
    dispatch()
  }
  mutating func dispatch() {
    guard !workers.isEmpty else { return }
    for (id, e) in effects.sorted(by: { $0.key < $1.key }) where e.worker == nil {
      guard case .operation(let name, let input, _, let policy) = e.start.kind else { continue }
      let w = workers[Int(id.sequence) % workers.count]
      effects[id]!.worker = w
      effects[id]!.attempt += 1
      outputs.append(
        .send(
          w,
          .assign(
            Assignment(
              effect: id, attempt: Attempt(start: startNumber, number: effects[id]!.attempt),
              operation: name, input: input, policy: policy, nextIndex: e.seen, cursor: []))))
    }
  }
  package mutating func cancel(_ id: EffectID, at c: ClockReading) {
    guard let e = effects.removeValue(forKey: id) else { return }
    if let w = e.worker {
      outputs.append(
        .send(w, .cancelEffect(effect: id, attempt: Attempt(start: startNumber, number: e.attempt)))
      )
    }
  }
  package mutating func workerJoined(_ p: PeerID, _ h: Hello, at c: ClockReading) {
    workers.append(p)
    for r in h.running {
      outputs.append(.send(p, .attemptRefused(effect: r.effect, attempt: r.attempt)))
    }
    dispatch()
  }
  package mutating func workerLost(_ p: PeerID, at c: ClockReading) {
    workers.removeAll { $0 == p }
    for (id, e) in effects where e.worker == p { effects[id]!.worker = nil }
    dispatch()
  }
  package mutating func received(_ p: PeerID, _ m: Message, at c: ClockReading) {
    switch m {
    case .output(let o):
      guard let e = effects[o.effect], e.worker == p,
        Attempt(start: startNumber, number: e.attempt) == o.attempt
      else {
        outputs.append(.send(p, .attemptRefused(effect: o.effect, attempt: o.attempt))); return
      }
      guard o.index == e.seen else { return }
      effects[o.effect]!.seen += 1
      outputs.append(
        .produced(.output(o.effect, index: o.index, isFinal: o.isFinal, value: o.value)))
    case .effectEnded(let id, let a, let index, let result):
      guard let e = effects[id], e.worker == p, Attempt(start: startNumber, number: e.attempt) == a
      else {
        outputs.append(.send(p, .attemptRefused(effect: id, attempt: a))); return
      }
      switch result {
      case .failed(let code, let message, _):
        outputs.append(.produced(.failed(id, index: index, code: code, message: message)))
      default: outputs.append(.produced(.finished(id)))
      }
    default: break
    }
  }
  package mutating func accepted(_ id: EffectID, index: UInt32, at c: ClockReading) {
    guard let e = effects[id], let w = e.worker else { return }
    outputs.append(
      .send(
        w,
        .outputAccepted(
          effect: id, attempt: Attempt(start: startNumber, number: e.attempt), index: index)))
  }
  package mutating func tick(at c: ClockReading) {}
}

package struct TimerQueue: Sendable {
  struct T { var due: Int64; var interval: Int64; var rep: Bool; var out: Bool }
  var timers: [EffectID: T] = [:]
  package init() {}
  package mutating func add(_ id: EffectID, due: Int64, interval: Int64, isRepeating: Bool) {
    timers[id] = T(due: due, interval: interval, rep: isRepeating, out: false)
  }
  package mutating func cancel(_ id: EffectID) { timers[id] = nil }
  package var nextDue: Int64? { timers.values.filter { !$0.out }.map(\.due).min() }
  package mutating func due(_ now: Int64) -> [(EffectID, Int64)] {
    var r: [(EffectID, Int64)] = []
    for (id, t) in timers.sorted(by: { $0.key < $1.key }) where !t.out && t.due <= now {
      timers[id]!.out = true; r.append((id, t.due))
    }
    return r
  }
  package mutating func tickRetired(_ id: EffectID, now: Int64) {
    guard var t = timers[id] else { return }
    if !t.rep { timers[id] = nil; return }
    t.out = false
    t.due += t.interval
    if t.due < now { t.due += (now - t.due) / t.interval * t.interval }
    timers[id] = t
  }
}
