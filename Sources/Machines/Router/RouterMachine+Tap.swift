import PenstockCore
import Wire

extension RouterMachine {
  func source(of origin: Origin) -> String {
    switch origin {
    case .initial: "router"
    case .client(let session, _):
      sessions.index(forKey: session).map { sessions.values[$0].name } ?? "client"
    case .send(let cause, _):
      history.entry(of: cause)?.path.description ?? sequencer?.topology.nodes.first?.path
        .description
        ?? "/"
    case .output(let effect, _, _), .end(let effect): effect.description
    case .timer(let effect, _), .retry(let effect): effect.description
    }
  }

  mutating func tapAction(_ committed: Committed) {
    guard isTapped, let sequencer else { return }
    outputs.append(
      .tap(
        .action(
          TapRecord.ActionTap(
            record: committed.record, epoch: sequencer.epoch,
            type: committed.record.type,
            source: source(of: committed.record.origin),
            cause: committed.record.origin.cause,
            patch: tapWantsPatches ? committed.patch : nil, isVoid: committed.isVoid,
            isUnmounted: committed.isUnmounted,
            latency: latency(of: committed),
            diagnostics: committed.diagnostics + unserved(committed)))))
  }

  /// From the number to the commit, in microseconds.
  func latency(of committed: Committed) -> Int64 {
    max(0, clock.monotonic - committed.numberedAt)
  }

  /// Operations that the application does not name, as no worker does that is here.
  private func unserved(_ committed: Committed) -> [String] {
    if committed.started.isEmpty { return [] }
    let named = sequencer?.topology.description.operations ?? []
    return committed.started.compactMap { _, start in
      UnservedOperation(start, consequence: "it waits") { name in
        named.contains(name) || scheduler.isServed(name)
      }.map { "\($0)" }
    }
  }

  mutating func tapProcess(_ peer: PeerID, _ state: String) {
    guard isTapped, let hello = hellos[peer] else { return }
    outputs.append(
      .tap(
        .process(
          name: hello.name, role: hello.role, processID: hello.processID, state: state,
          now: sequencer?.now ?? clock.wall)))
  }

  mutating func tapNode(_ node: Int, _ status: NodeStatus) {
    guard isTapped, let sequencer else { return }
    let hello = sequencer.peer(of: node).flatMap { hellos[$0] }
    outputs.append(
      .tap(
        .process(
          name: sequencer.topology.nodes[node].path.description, role: .feature,
          processID: hello?.processID ?? 0, state: status.rawValue, now: sequencer.now)))
  }
}
