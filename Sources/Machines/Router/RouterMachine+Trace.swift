import PenstockCore
import Wire

/// What an action caused, and which effects live.
extension RouterMachine {
  private static var traceLimit: Int { 1_000 }

  func trace(_ body: Bytes) -> Result<Bytes, Refusal> {
    guard let range = JSONScan.value(at: ["seq"], in: body),
      let sequence = UInt64(String(decoding: body[range], as: UTF8.self))
    else { return .failure(Refusal(code: .malformed, message: "trace needs {\"seq\": N}")) }
    guard let root = history.entry(of: sequence) else {
      let first = history.entries.first?.sequence ?? 0
      let last = history.entries.last?.sequence ?? 0
      return .failure(
        Refusal(
          code: .notFound,
          message: "\(sequence) is not kept; committed records \(first) to \(last) are"))
    }
    var actions: [CommittedHistory.Entry] = []
    var known: Set<UInt64> = [sequence]
    for entry in history.entries where entry.sequence >= sequence {
      let isCaused = entry.origin.cause.map { known.contains($0) } ?? false
      guard entry.sequence == sequence || isCaused else { continue }
      known.insert(entry.sequence)
      actions.append(entry)
    }
    let isTruncated = actions.count > Self.traceLimit
    actions = Array(actions.prefix(Self.traceLimit))
    let effects = actions.flatMap { entry in entry.started.map { (entry, $0) } }
    let progress = progress(of: Set(effects.map(\.1.id)))
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("actions") { writer in
        writer.array { writer in
          for entry in actions { writer.element { describe(entry, &$0) } }
        }
      }
      writer.member("effects") { writer in
        writer.array { writer in
          for (entry, start) in effects.prefix(Self.traceLimit) {
            writer.element { describe(started: start, by: entry, progress, &$0) }
          }
        }
      }
      writer.member("truncated") { $0.bool(isTruncated || effects.count > Self.traceLimit) }
      writer.member("uncommitted") {
        $0.integer(sequencer?.uncommittedRecords(of: root.correlation) ?? 0)
      }
    }
    return .success(writer.bytes)
  }

  private func describe(_ entry: CommittedHistory.Entry, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("seq") { $0.integer(entry.sequence) }
      writer.member("path") { $0.string(entry.path.description) }
      writer.member("type") { $0.string(entry.type) }
      writer.member("t") { $0.integer(entry.now) }
      writer.member("origin") { $0.string(entry.origin.word) }
      writer.member("cause") { $0.number(entry.origin.cause) }
      writer.member("effect") { $0.text(entry.origin.livingEffect?.description) }
      writer.member("source") { $0.string(entry.source) }
      writer.member("flag") { $0.text(entry.flag) }
      writer.member("lat") { $0.integer(entry.latency) }
      writer.member("diagnostics") { writer in
        writer.array { writer in
          for text in entry.diagnostics { writer.element { $0.string(text) } }
        }
      }
    }
  }

  /// How far effects are, looked up once for all of a trace.
  private struct Progress {
    var assigned: [EffectID: EffectScheduler.Snapshot.Effect] = [:]
    var endings: [EffectID: CommittedHistory.Entry] = [:]
    var failures: [EffectID: FailedEffect] = [:]
  }

  private func progress(of ids: Set<EffectID>) -> Progress {
    guard !ids.isEmpty else { return Progress() }
    var progress = Progress()
    for effect in scheduler.snapshot().effects where ids.contains(effect.id) {
      progress.assigned[effect.id] = effect
    }
    for entry in history.entries {
      if let id = entry.endedEffect, ids.contains(id) { progress.endings[id] = entry }
    }
    for effect in failed.effects where ids.contains(effect.id) {
      progress.failures[effect.id] = effect
    }
    return progress
  }

  private func describe(
    started: (id: EffectID, operation: String), by entry: CommittedHistory.Entry,
    _ progress: Progress, _ writer: inout JSONWriter
  ) {
    let assigned = progress.assigned[started.id]
    let ending = progress.endings[started.id]
    let failure = progress.failures[started.id]?.failure
    let isAlive = sequencer?.effects[started.id] != nil
    writer.object { writer in
      writer.member("id") { $0.string(started.id.description) }
      writer.member("seq") { $0.integer(started.id.sequence) }
      writer.member("path") { $0.string(started.id.path.description) }
      writer.member("operation") { $0.string(started.operation) }
      let state =
        switch (isAlive, started.operation) {
        case (true, "timer"): "timer"
        case (true, _): assigned?.state ?? "queued"
        case (false, _): failure != nil ? "failed" : ending == nil ? "cancelled" : "done"
        }
      writer.member("state") { $0.string(state) }
      writer.member("worker") { $0.text(assigned?.worker) }
      writer.member("attempt") { $0.integer(assigned?.attempt ?? 0) }
      writer.member("since") { $0.integer(entry.now) }
      writer.member("ended") { $0.number(ending?.now) }
      writer.member("message") { $0.text(failure.map { "\($0.code): \($0.message)" }) }
    }
  }

  func describeEffects() -> Bytes {
    let assigned = Dictionary(
      scheduler.snapshot().effects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("now") { $0.integer(sequencer?.now ?? clock.wall) }
      writer.member("effects") { writer in
        writer.array { writer in
          let living = (sequencer?.effects.living ?? [:]).sorted { $0.key < $1.key }
          for (id, effect) in living {
            writer.element { describe(id, effect, assigned[id], &$0) }
          }
        }
      }
    }
    return writer.bytes
  }

  private func describe(
    _ id: EffectID, _ living: EffectRegistry.Living,
    _ assigned: EffectScheduler.Snapshot.Effect?, _ writer: inout JSONWriter
  ) {
    var due = assigned?.due
    var state = assigned?.state ?? "queued"
    if case .timer(let interval, _, _) = living.start.kind {
      due = (living.lastDue ?? living.startedAt) + interval
      state = "timer"
    }
    writer.object { writer in
      writer.member("id") { $0.string(id.description) }
      writer.member("seq") { $0.integer(id.sequence) }
      writer.member("path") { $0.string(id.path.description) }
      writer.member("operation") { $0.string(living.start.operationName) }
      writer.member("state") { $0.string(state) }
      writer.member("worker") { $0.text(assigned?.worker) }
      writer.member("attempt") { $0.integer(assigned?.attempt ?? 0) }
      writer.member("since") { $0.integer(assigned?.since ?? living.startedAt) }
      writer.member("due") { $0.number(due) }
    }
  }
}

extension CommittedHistory.Entry {
  /// The effect that the record ended.
  var endedEffect: EffectID? {
    switch origin {
    case .output(let effect, _, let isFinal): isFinal ? effect : nil
    case .end(let effect): effect
    case .initial, .client, .send, .timer, .retry: nil
    }
  }
}
