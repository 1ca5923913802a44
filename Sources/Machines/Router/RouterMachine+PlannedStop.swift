import PenstockCore
import Wire

/// A stop that is planned: what needs the processes that will stop is held, and when all that they
/// have is settled, a checkpoint is written at the head. So whoever comes next begins with a state and
/// has nothing to reduce again (J-12).
struct PlannedStop: Sendable {
  enum Asker: Sendable {
    /// The router itself ends.
    case router
    case client(PeerID, request: UInt32)
  }

  enum Phase: Sendable {
    /// What the nodes have is brought to an end.
    case draining
    /// A checkpoint of this sequence, or a later one, has to become durable.
    case checkpointing(UInt64)
    /// The checkpoint is there; held until a new process registers.
    case waiting
  }

  var asker: Asker
  var nodes: [Int]
  var phase = Phase.draining
  /// On the monotonic clock.
  var deadline: Int64
}

extension RouterMachine {
  /// How long what is under way may take to be settled and written.
  private static var patience: Int64 { 5_000_000 }
  /// How long after its checkpoint a process may take to stop and come again.
  private static var holdTime: Int64 { 15_000_000 }

  /// Whether a checkpoint is due though few records stand since the last one.
  var needsCheckpoint: Bool {
    guard case .checkpointing(let sequence)? = planned?.phase else { return false }
    return (sequencer?.checkpointedThrough ?? 0) < sequence
  }

  /// The router is asked to end.
  mutating func stopRequested() {
    guard let sequencer, isReady else {
      outputs.append(.stopPrepared("nothing was running yet"))
      return
    }
    endPlanned("the router stops")
    let nodes = Array(sequencer.topology.nodes.indices)
    if let missing = nodes.first(where: { sequencer.status(of: $0) != .up }) {
      outputs.append(
        .stopPrepared("\(sequencer.topology.nodes[missing].path) is not up"))
      return
    }
    begin(.router, nodes, isWhole: true)
  }

  /// `checkpoint`: at the head; with `hold`, so that the process of that path can be replaced.
  mutating func checkpointRequested(_ peer: PeerID, _ id: UInt32, _ body: Bytes) {
    guard let sequencer, isReady else {
      return fail(.client(peer, request: id), .unavailable, "the router has no state yet")
    }
    guard planned == nil else {
      return fail(.client(peer, request: id), .unavailable, "another planned stop is under way")
    }
    var nodes: [Int] = []
    if let range = JSONScan.value(at: ["hold"], in: body) {
      let text = String(decoding: body[range].dropFirst().dropLast(), as: UTF8.self)
      guard let path = Path(text), let node = sequencer.topology.index(of: path) else {
        return fail(
          .client(peer, request: id), .unknownPath, "\(text) is not one of the placed scopes")
      }
      guard sequencer.status(of: node) == .up else {
        return fail(.client(peer, request: id), .unavailable, "\(path) is not up")
      }
      nodes = [node]
    }
    begin(.client(peer, request: id), nodes, isWhole: false)
  }

  private mutating func begin(_ asker: PlannedStop.Asker, _ nodes: [Int], isWhole: Bool) {
    sequencer!.hold(nodes, isWhole: isWhole)
    planned = PlannedStop(
      asker: asker, nodes: nodes, deadline: clock.monotonic + Self.patience)
  }

  /// Takes the next step when it is possible.
  mutating func advancePlannedStop() {
    guard let stop = planned, let sequencer else { return }
    switch stop.phase {
    case .draining where sequencer.isDrained(stop.nodes):
      planned!.phase = .checkpointing(sequencer.next - 1)
      advancePlannedStop()
    case .checkpointing(let sequence) where sequencer.checkpointedThrough >= sequence:
      reply(to: stop.asker, sequence)
      planned!.phase = .waiting
      planned!.deadline = clock.monotonic + Self.holdTime
      if stop.nodes.isEmpty { endPlanned(nil) }
    case .waiting where !stop.nodes.contains(where: sequencer.isHeld): planned = nil
    case .draining, .checkpointing:
      if let gone = stop.nodes.first(where: { sequencer.status(of: $0) != .up }) {
        return endPlanned("\(sequencer.topology.nodes[gone].path) is not up any more")
      }
      if stop.deadline <= clock.monotonic {
        endPlanned("what is under way did not settle within \(Self.patience / 1_000_000) s")
      }
    case .waiting:
      // Whoever wanted to replace it did not.
      if stop.deadline <= clock.monotonic { endPlanned(nil) }
    }
  }

  private mutating func endPlanned(_ reason: String?) {
    guard let stop = planned else { return }
    planned = nil
    sequencer?.release()
    guard let reason else { return }
    if case .waiting = stop.phase { return }
    fail(stop.asker, .unavailable, reason)
  }

  private mutating func reply(to asker: PlannedStop.Asker, _ sequence: UInt64) {
    switch asker {
    case .router: outputs.append(.stopPrepared(nil))
    case .client(let peer, let id):
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("v") { $0.integer(1) }
        writer.member("sequence") { $0.integer(sequence) }
      }
      send(peer, .reply(id: id, status: 0, body: writer.bytes))
    }
  }

  private mutating func fail(_ asker: PlannedStop.Asker, _ code: ErrorCode, _ message: String) {
    switch asker {
    case .router: outputs.append(.stopPrepared(message))
    case .client(let peer, let id):
      send(peer, Self.reply(id, Refusal(code: code, message: message)))
    }
  }
}
