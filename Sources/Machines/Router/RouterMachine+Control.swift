import PenstockCore
package import Wire

/// The control plane: questions in JSON, answered at once but for `checkpoint` (9-CONTROL).
extension RouterMachine {
  mutating func requested(_ peer: PeerID, _ id: UInt32, _ verb: String, _ body: Bytes) {
    if verb == "checkpoint" { return checkpointRequested(peer, id, body) }
    if verb == "retry" { return retryRequested(peer, id, body) }
    let answer: Result<Bytes, Refusal> =
      switch verb {
      case "ps": .success(describeProcesses())
      case "ready": describeReadiness(body)
      case "describe": describeApplication()
      case "effects": .success(describeEffects())
      case "failed": .success(describeFailed())
      case "trace": trace(body)
      case "pending": describePending(body)
      case "cancel": cancelEffects(body)
      case "quarantine": describeQuarantine(body)
      default:
        .failure(
          Refusal(code: .unknownRequest, message: "the router answers no request \(verb)"))
      }
    switch answer {
    case .success(let bytes): send(peer, .reply(id: id, status: 0, body: bytes))
    case .failure(let refusal): send(peer, Self.reply(id, refusal))
    }
  }

  static func reply(_ id: UInt32, _ refusal: Refusal) -> Message {
    var writer = JSONWriter()
    writer.object { $0.member("message") { $0.string(refusal.message) } }
    return .reply(id: id, status: refusal.code.rawValue, body: writer.bytes)
  }

  /// What is sent instead of a message that exceeds a limit of the protocol; nil for one without
  /// such an answer.
  package static func replacement(for message: Message, _ error: WireError) -> Message? {
    guard case .reply(let id, _, _) = message else { return nil }
    return reply(id, Refusal(code: error.code, message: error.message))
  }

  private var state: (numbered: UInt64, retired: UInt64, committed: UInt64) {
    guard let sequencer, hasState else { return (0, 0, 0) }
    return (sequencer.next - 1, sequencer.retired, sequencer.committedThrough)
  }

  private func describeProcesses() -> Bytes {
    var writer = JSONWriter()
    let counts = sequencer?.counts ?? SequencerCounts()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("application") { application.isEmpty ? $0.null() : $0.string(application) }
      writer.member("pid") { $0.integer(configuration.processID) }
      writer.member("start") { $0.integer(start) }
      writer.member("durable") { $0.bool(configuration.isDurable) }
      let journal = configuration.journal
      writer.member("journal") { journal.isEmpty ? $0.null() : $0.string(journal) }
      writer.member("now") { $0.integer(sequencer?.now ?? clock.wall) }
      writer.member("since") { $0.integer(startedAt) }
      writer.member("numbered") { $0.integer(state.numbered) }
      writer.member("retired") { $0.integer(state.retired) }
      writer.member("committed") { $0.integer(state.committed) }
      let waiting = sequencer.map { sequencer in
        sequencer.topology.nodes.indices.reduce(0) { $0 + sequencer.load(of: $1).waiting }
      }
      writer.member("waiting") { $0.integer(waiting ?? 0) }
      let effects = scheduler.snapshot()
      writer.member("effects") { $0.integer(effects.effects.count) }
      writer.member("unserved") { writer in
        writer.array { writer in
          for name in effects.unserved.sorted() { writer.element { $0.string(name) } }
        }
      }
      writer.member("squashes") { $0.integer(counts.squashes) }
      writer.member("voids") { $0.integer(counts.voids) }
      writer.member("unmounted") { $0.integer(counts.unmounts) }
      writer.member("dropped") { $0.integer(linkCounters.unreadable) }
      writer.member("links") { describeLinks(&$0) }
      writer.member("quarantined") { $0.integer(quarantine.records.count) }
      let clients = peers.values.count { if case .client = $0 { true } else { false } }
      writer.member("clients") { $0.integer(clients) }
      writer.member("peers") { writer in
        writer.array { writer in
          for node in placedNodes { writer.element { describe(feature: node, &$0) } }
          for worker in effects.workers {
            writer.element { describe(worker, &$0) }
          }
        }
      }
    }
    return writer.bytes
  }

  private func describeLinks(_ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("malformed") { $0.integer(linkCounters.malformed) }
      writer.member("unknown-version") { $0.integer(linkCounters.unknownVersion) }
      writer.member("too-large") { $0.integer(linkCounters.oversize) }
      writer.member("stale") { $0.integer(linkCounters.stale) }
      writer.member("duplicates") { $0.integer(linkCounters.duplicates) }
      writer.member("resends") { $0.integer(linkCounters.resends) }
      writer.member("refused") { $0.integer(refusals) }
    }
  }

  private var placedNodes: Range<Int> { 0..<(sequencer?.topology.nodes.count ?? 0) }

  private func word(_ status: NodeStatus) -> String {
    status == .absent ? "missing" : status.rawValue
  }

  private func describe(feature node: Int, _ writer: inout JSONWriter) {
    guard let sequencer else { return }
    let hello = sequencer.peer(of: node).flatMap { hellos[$0] }
    let status = sequencer.status(of: node)
    writer.object { writer in
      writer.member("name") { $0.string(sequencer.topology.nodes[node].path.description) }
      writer.member("role") { $0.string("feature") }
      writer.member("state") { $0.string(word(status)) }
      writer.member("pid") { hello == nil ? $0.null() : $0.integer(hello!.processID) }
      writer.member("since") { $0.integer(nodeSince[node] ?? startedAt) }
      writer.member("restarts") { $0.integer(max(0, nodeRestarts[node] ?? 0)) }
      writer.member("queue") { $0.integer(sequencer.load(of: node).queued) }
      writer.member("actions") { $0.integer(sequencer.answers(of: node)) }
      writer.member("slots") { $0.integer(0) }
      writer.member("running") { $0.integer(0) }
      writer.member("message") { $0.null() }
    }
  }

  /// What is not there yet, as the caller asked for it.
  private func describeReadiness(_ body: Bytes) -> Result<Bytes, Refusal> {
    var features = placedNodes.compactMap { sequencer?.topology.nodes[$0].path.description }
    var workers = 0
    do throws(JSONError) {
      var reader = JSONReader(body.isEmpty ? Array("{}".utf8) : body)
      try reader.beginObject()
      while try reader.nextMember() {
        switch try reader.keyText() {
        case "features": features = try [String](from: &reader)
        case "workers": workers = try reader.readInteger()
        default: try reader.skipValue()
        }
      }
    } catch {
      return .failure(Refusal(code: .malformed, message: error.description))
    }
    var missing: [(name: String, role: String, state: String)] = []
    for name in features {
      let node = placedNodes.first { sequencer?.topology.nodes[$0].path.description == name }
      let status = node.map { sequencer!.status(of: $0) } ?? .absent
      if status != .up { missing.append((name, "feature", word(status))) }
    }
    let up = scheduler.snapshot().workers.count { $0.state == "up" }
    if up < workers { missing.append(("worker", "worker", "\(up) of \(workers)")) }
    if !isReady { missing.append(("state", "router", "missing")) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("ready") { $0.bool(missing.isEmpty) }
      writer.member("sequence") { $0.integer(state.committed) }
      writer.member("missing") { writer in
        writer.array { writer in
          for item in missing {
            writer.element { writer in
              writer.object { writer in
                writer.member("name") { $0.string(item.name) }
                writer.member("role") { $0.string(item.role) }
                writer.member("state") { $0.string(item.state) }
                writer.member("message") { $0.null() }
              }
            }
          }
        }
      }
    }
    return .success(writer.bytes)
  }

  private func describeApplication() -> Result<Bytes, Refusal> {
    guard let sequencer else {
      return .failure(Refusal(code: .notFound, message: "no feature has registered yet"))
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("application") { $0.string(application) }
      writer.member("placement") { writer in
        writer.array { writer in
          for node in sequencer.topology.nodes {
            writer.element { $0.string(node.path.description) }
          }
        }
      }
      writer.member("schema") { $0.string(String(schemaHash ?? 0, radix: 16)) }
      writer.member("description") { $0.value(sequencer.topology.description) }
    }
    return .success(writer.bytes)
  }
}

extension RouterMachine {
  private func describe(_ worker: EffectScheduler.Snapshot.Worker, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name") { $0.string(worker.name) }
      writer.member("role") { $0.string("worker") }
      writer.member("state") { $0.string(worker.state) }
      writer.member("pid") { $0.integer(hellos[worker.peer]?.processID ?? 0) }
      writer.member("since") { $0.integer(worker.since) }
      writer.member("restarts") { $0.integer(0) }
      writer.member("queue") { $0.integer(0) }
      writer.member("actions") { $0.integer(worker.outputs) }
      writer.member("slots") { $0.integer(worker.slots) }
      writer.member("running") { $0.integer(worker.running) }
      writer.member("message") { $0.null() }
    }
  }
}
