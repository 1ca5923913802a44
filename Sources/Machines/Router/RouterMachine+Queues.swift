import PenstockCore

extension RouterMachine {
  /// A queue with more than it may hold.
  package struct Overfull: Sendable {
    package var name: String
    package var count: Int
    package var bound: Int
  }

  /// The first queue that is beyond its bound; nil while all is well. Sends that come back as
  /// unavailable were in flight before, so as many may stand above their bound.
  package var overfull: Overfull? {
    for (id, session) in sessions where session.held.count > configuration.heldPerSession {
      return Overfull(
        name: "session \(id)", count: session.held.count, bound: configuration.heldPerSession)
    }
    return sequencer?.overfull
  }
}

extension Sequencer {
  fileprivate var overfull: RouterMachine.Overfull? {
    for (index, node) in nodes.enumerated() {
      let path = topology.nodes[index].path
      if node.issued > configuration.issueLimit {
        return RouterMachine.Overfull(
          name: "\(path)", count: node.issued, bound: configuration.issueLimit)
      }
      let bound = configuration.waitingLimit + configuration.issueLimit
      if node.waiting.count > bound {
        let sends = node.waiting.count { if case .send = $0.origin { true } else { false } }
        if sends > bound {
          return RouterMachine.Overfull(name: "waiting for \(path)", count: sends, bound: bound)
        }
      }
    }
    return nil
  }
}
