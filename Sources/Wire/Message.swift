package import PenstockCore

/// (start, squash), compared in this order. A start of a router is journaled and fences other
/// writers; squash begins at 0 with each start.
package struct Epoch: Hashable, Sendable, Comparable {
  package var start: UInt32
  package var squash: UInt32

  package init(start: UInt32, squash: UInt32) {
    self.start = start
    self.squash = squash
  }

  package static let zero = Epoch(start: 0, squash: 0)

  package static func < (left: Epoch, right: Epoch) -> Bool {
    (left.start, left.squash) < (right.start, right.squash)
  }
}

/// The attempt of an effect: the router's start and a number within it.
package struct Attempt: Hashable, Sendable, Comparable {
  package var start: UInt32
  package var number: UInt32

  package init(start: UInt32, number: UInt32) {
    self.start = start
    self.number = number
  }

  package static func < (left: Attempt, right: Attempt) -> Bool {
    (left.start, left.number) < (right.start, right.number)
  }
}

/// Everything that peers and router say to each other, above the link that makes it reliable and
/// ordered. The bytes are specified in `Protocols/`.
package enum Message: Hashable, Sendable {
  // Any peer
  case hello(Hello)
  case welcome(Welcome)
  /// The router (or a peer) does not go on with this peer; the link ends.
  case refused(Refusal)
  case goodbye

  // Client to router
  case submit(Submit)
  /// All outcomes up to this client sequence are known to the client; the router may forget them.
  case confirm(upTo: UInt64)
  case subscribe(id: UInt32, path: Path)
  case unsubscribe(id: UInt32)
  /// A question of the control plane (`ps`, `ready`, …); body and answer are JSON.
  case request(id: UInt32, verb: String, body: Bytes)

  // Router to client
  case outcome(ClientOutcome)
  case state(StateMessage)
  case reply(id: UInt32, status: UInt16, body: Bytes)

  // Router to feature
  /// Forget everything and stand at `sequence` with this state; nil is "not mounted".
  case reset(sequence: UInt64, epoch: Epoch, state: Bytes?)
  /// Make the root's initial state, for record 0.
  case makeInitialState(now: Int64, seed: UInt64)
  case mount(sequence: UInt64, epoch: Epoch, state: Bytes)
  case unmount(sequence: UInt64, epoch: Epoch)
  /// Changes that others made to this node's state tree: mirrors of children, an ancestor's writes.
  case patch(sequence: UInt64, epoch: Epoch, patch: Patch)
  case work(Work)
  case marker(Marker)
  /// Drop all items above `sequence` and stand there again.
  case squash(epoch: Epoch, sequence: UInt64)
  /// Everything up to here is retired: no squash goes below it.
  case retired(sequence: UInt64)
  /// Catching up ends here: answer `ready` once everything before is applied.
  case caughtUp(sequence: UInt64)

  // Feature to router
  /// The encoded state and all dynamic mounts that it holds.
  case initialState(Bytes, mounts: [MountChange])
  case answer(Answer)
  case markerAnswer(MarkerAnswer)
  case ready(sequence: UInt64)

  // Router to worker
  case assign(Assignment)
  case cancelEffect(effect: EffectID, attempt: Attempt)
  /// The output (or the end) with this index is durable; the worker may forget it.
  case outputAccepted(effect: EffectID, attempt: Attempt, index: UInt32)
  /// The attempt is superseded or the effect is gone: stop and forget it.
  case attemptRefused(effect: EffectID, attempt: Attempt)

  // Worker to router
  case output(WorkerOutput)
  case effectEnded(effect: EffectID, attempt: Attempt, index: UInt32, result: EffectResult)
  case heartbeat(effect: EffectID, attempt: Attempt, cursor: Bytes)
  /// No new work please; what has not been started is handed back as `effectEnded(handedBack)`.
  case draining
}

package enum Role: UInt8, Hashable, Sendable, CaseIterable {
  case client = 1
  case feature = 2
  case worker = 3
}

/// The first message on every link.
package struct Hello: Hashable, Sendable {
  package var role: Role
  /// A person's name for the peer: `web-1`, `worker-3`, or a feature's path.
  package var name: String
  /// A client's session (kept over reconnects), or the incarnation of a feature or worker.
  package var session: UInt64
  package var processID: UInt32
  package var application: String
  package var build: String
  package var schemaHash: UInt64
  /// The application's description as JSON; from features and workers.
  package var description: Bytes
  /// A worker's queues and slots, and what it still runs.
  package var queues: [String]
  package var slots: UInt32
  package var running: [RunningEffect]

  package init(
    role: Role, name: String, session: UInt64, processID: UInt32 = 0, application: String = "",
    build: String = "", schemaHash: UInt64 = 0, description: Bytes = [], queues: [String] = [],
    slots: UInt32 = 0, running: [RunningEffect] = []
  ) {
    self.role = role
    self.name = name
    self.session = session
    self.processID = processID
    self.application = application
    self.build = build
    self.schemaHash = schemaHash
    self.description = description
    self.queues = queues
    self.slots = slots
    self.running = running
  }
}

package struct RunningEffect: Hashable, Sendable {
  package var effect: EffectID
  package var attempt: Attempt

  package init(effect: EffectID, attempt: Attempt) {
    self.effect = effect
    self.attempt = attempt
  }
}

package struct Welcome: Hashable, Sendable {
  package var application: String
  /// The router's start.
  package var start: UInt32
  /// For a client: the lowest client sequence that is neither numbered nor skipped.
  package var nextClientSequence: UInt64
  /// For a client: whether an acknowledgement means durable.
  package var isDurable: Bool

  package init(application: String, start: UInt32, nextClientSequence: UInt64, isDurable: Bool) {
    self.application = application
    self.start = start
    self.nextClientSequence = nextClientSequence
    self.isDurable = isDurable
  }
}

package struct Refusal: Hashable, Sendable, Error {
  package var code: ErrorCode
  package var message: String

  package init(code: ErrorCode, message: String) {
    self.code = code
    self.message = message
  }
}
