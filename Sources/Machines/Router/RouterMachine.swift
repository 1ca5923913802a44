package import PenstockCore
package import Wire

package struct RouterConfiguration: Sendable {
  package var sequencer = SequencerConfiguration()
  /// The scopes that are processes; the root always is one.
  package var placement: [Path] = []
  package var application = ""
  package var isDurable = true
  /// The journal's file, from the root of the file system; empty when there is none.
  package var journal = ""
  package var processID: UInt32 = 0
  /// Whether a process of another build may reduce again what the old one reduced (J-11).
  package var replaysWithNewCode = false
  /// Clients' actions wait while this many records are in flight or not durable.
  package var inFlightLimit = 8_192
  package var heldPerSession = 4_096
  /// Records after which a checkpoint is due: a feature's process that starts anew reduces those that
  /// came since.
  package var checkpointInterval = 2_000
  /// Bytes after which a checkpoint is due though the records are few.
  package var checkpointBytes = 64 << 20
  /// The shortest time between two published cuts, in microseconds.
  package var publicationInterval: Int64 = 5_000

  package init() {}
}

/// The router without its sockets and files: peers' messages in, commands out.
///
/// It puts together the sequencer (the order and the nodes), the sessions of clients, the scheduler of
/// effects and timers, and the publication of states. It knows no type of the application.
package struct RouterMachine: Sendable {
  enum Peer: Sendable {
    case client(session: UInt64)
    case feature(node: Int)
    case worker
  }

  package let configuration: RouterConfiguration
  package let start: UInt32
  package internal(set) var sequencer: Sequencer?
  var outputs: [RouterOutput] = []
  var clock = ClockReading(monotonic: 0, wall: 0)
  var application: String
  var schemaHash: UInt64?
  /// The application's description, for checkpoints.
  var shape: Bytes = []
  var peers: [PeerID: Peer] = [:]
  var hellos: [PeerID: Hello] = [:]
  /// Peers that were refused while the events at hand are taken in; their links end after that.
  var refused: Set<PeerID> = []
  var sessions: [UInt64: Session] = [:]
  /// Sessions with held actions.
  var holding: Set<UInt64> = []
  var scheduler: EffectScheduler
  /// What workers reported before recovery was over.
  var earlyReports: [(PeerID, Message)] = []
  var timers = TimerQueue()
  /// What the journal held at the start, until the application's shape is known.
  var recovery: Recovery?
  /// Record 0 exists.
  var hasState = false
  /// Features that came before record 0, by node.
  var waitingFeatures: [Int: PeerID] = [:]
  /// Record 0 exists, and everything of earlier starts is retired again.
  package internal(set) var isReady = false
  var subscriptions: [Subscription] = []
  var document: JSONDocument?
  var nextPublication: Int64 = 0
  var isCheckpointing = false
  /// A checkpoint that is not durable yet: its ticket, and what may be forgotten then.
  var pendingCheckpoint: (ticket: UInt64, sequence: UInt64, states: [Bytes?])?
  /// Bytes of the last one.
  var checkpointSize = 0
  var isTapped = false
  var tapWantsPatches = false
  var history = CommittedHistory()
  package internal(set) var quarantine = Quarantine()
  package internal(set) var failed = FailedEffects()
  /// Who asked for a failed effect to be started again, and waits for the number of that.
  var retries: [EffectID: (peer: PeerID, request: UInt32)] = [:]
  /// Of which build each scope's process is, or was.
  var builds: [Path: UInt64]
  var planned: PlannedStop?
  var rare = RarePaths()
  var nodeSince: [Int: Int64] = [:]
  var nodeRestarts: [Int: Int] = [:]
  var startedAt: Int64 = 0
  /// What the shell counted of the links, and of frames that are of none.
  package var linkCounters = LinkCounters()
  /// Peers that were refused.
  var refusals = 0

  struct Recovery: Sendable {
    var checkpoint: Checkpoint
    var entries: [JournalEntry]
  }

  /// - Parameter entries: the journal from its last checkpoint on (and all records after that
  ///   checkpoint's sequence), without this start's own entry; empty for a new system.
  package init(
    configuration: RouterConfiguration, start: UInt32, entries: [JournalEntry],
    builds: [Path: UInt64] = [:]
  ) throws(WireError) {
    self.configuration = configuration
    self.builds = builds
    self.start = start
    application = configuration.application
    scheduler = EffectScheduler(start: start, faults: configuration.sequencer.faults)
    var last: Checkpoint?
    for case .checkpoint(_, let body) in entries { last = try Checkpoint(decoding: body) }
    if let last {
      recovery = Recovery(checkpoint: last, entries: entries)
      quarantine = last.quarantine
      failed = last.failed
      sessions = last.sessions.mapValues { saved in
        var session = Session(name: saved.name)
        session.next = saved.next
        session.outcomes = Outcomes(saved.outcomes)
        return session
      }
    }
    // What has a number keeps it, though its outcome is known only when it commits again.
    for case .record(let record) in entries {
      guard case .client(let id, let sequence) = record.origin else { continue }
      sessions[id, default: Session(name: "")].next = max(sessions[id]?.next ?? 1, sequence + 1)
    }
  }

  /// Takes in what happened, in this order, then does everything that became possible.
  package mutating func handle(
    _ events: [RouterEvent], at clock: ClockReading
  ) -> [RouterOutput] {
    if startedAt == 0 { startedAt = clock.wall }
    self.clock = clock
    sequencer?.advance(to: clock)
    for event in events { take(event) }
    refused.removeAll(keepingCapacity: true)
    settleAll()
    defer { outputs = [] }
    return outputs
  }

  private mutating func take(_ event: RouterEvent) {
    switch event {
    case .message(let peer, let message): received(peer, message)
    case .messages(let peer, let messages): received(peer, messages)
    case .peerLost(let peer): ended(peer, "lost")
    case .journaled(let ticket): journaled(ticket)
    case .journalFailed(let reason):
      if !configuration.sequencer.faults.goesOnWhenFenced { outputs.append(.stop(reason)) }
    case .stopRequested: stopRequested()
    case .tapChanged(let isListening, let wantsPatches):
      isTapped = isListening
      scheduler.isTapped = isListening
      tapWantsPatches = wantsPatches
      sequencer?.wantsPatches = wantsPatches
    case .tick: break
    }
  }

  /// When the machine wants to be woken by `tick`, on the monotonic clock.
  package var nextDeadline: Int64? {
    var deadlines = [sequencer?.nextDeadline, scheduler.nextDeadline].compactMap { $0 }
    if isReady, let due = timers.nextDue, let now = sequencer?.now {
      deadlines.append(clock.monotonic + max(0, due - now))
    }
    if sequencer?.hasMarker == false, hasNews { deadlines.append(nextPublication) }
    if let planned { deadlines.append(planned.deadline) }
    return deadlines.min()
  }

  private static var keptCommands: Int { 4_096 }

  /// Runs everything that became possible, until nothing more does.
  private mutating func settleAll() {
    sequencer?.hasReaders = !subscriptions.isEmpty
    guard sequencer != nil else {
      runScheduler()
      return
    }
    sequencer!.tick()
    var commands: [SequencerOutput] = []
    for _ in 0..<64 {
      runTimers()
      runScheduler()
      admitHeld()
      advancePlannedStop()
      startMarkerIfNeeded()
      sequencer!.pump()
      sequencer!.drainOutputs(into: &commands)
      if commands.isEmpty { break }
      for index in commands.indices { perform(commands[index]) }
      commands.removeAll(keepingCapacity: commands.count <= Self.keptCommands)
      finishRecoveryIfDone()
    }
  }

  /// What comes most comes in runs: whom it is from is looked up once for each.
  private mutating func received(_ peer: PeerID, _ messages: [Message]) {
    var index = 0
    while index < messages.count {
      switch peers[peer] {
      case .client(let id): submitted(peer, id, messages, from: &index)
      case .feature(let node): answered(node, messages, from: &index)
      case .worker, nil: break
      }
      if index < messages.count { received(peer, messages[index]) }
      index += 1
    }
  }

  private mutating func answered(_ node: Int, _ messages: [Message], from index: inout Int) {
    guard sequencer != nil else { return }
    while index < messages.count, case .answer(let answer) = messages[index] {
      sequencer!.answered(node, answer)
      index += 1
    }
  }

  private mutating func received(_ peer: PeerID, _ message: Message) {
    if case .hello(let hello) = message {
      joined(peer, hello)
      return
    }
    switch (peers[peer], message) {
    case (nil, _) where refused.contains(peer): break
    case (nil, _):
      refuse(peer, .malformed, "the first message of a link is hello")
    case (.client(let id), .submit(let submit)): submitted(peer, id, submit)
    case (.client(let id), .confirm(let sequence)): sessions[id]?.confirm(through: sequence)
    case (.client, .subscribe(let id, let path)): subscribed(peer, id, path)
    case (.client, .unsubscribe(let id)):
      subscriptions.removeAll { $0.peer == peer && $0.id == id }
    case (.client, .request(let id, let verb, let body)): requested(peer, id, verb, body)
    case (.feature(node: 0), .initialState(let state, let mounts)): begin(peer, state, mounts)
    case (.feature(let node), .answer(let answer)): sequencer?.answered(node, answer)
    case (.feature(let node), .markerAnswer(let answer)):
      sequencer?.markerAnswered(node, answer)
    case (.feature(let node), .ready): sequencer?.ready(node)
    case (.worker, .output), (.worker, .effectEnded), (.worker, .heartbeat):
      // Which effects live is known only after recovery.
      if isReady { fallthrough }
      earlyReports.append((peer, message))
    case (.worker, .draining):
      scheduler.received(peer, message, at: clock)
    case (_, .goodbye): ended(peer, "left")
    default:
      ended(peer, "lost")
      refuse(peer, .wrongRole, "a peer of this role does not send that message")
    }
  }

  mutating func send(_ peer: PeerID, _ message: Message) { outputs.append(.send(peer, message)) }

  mutating func refuse(_ peer: PeerID, _ code: ErrorCode, _ message: String) {
    send(peer, .refused(Refusal(code: code, message: message)))
    outputs.append(.disconnect(peer))
    refusals += 1
    refused.insert(peer)
    forget(peer)
  }

  mutating func forget(_ peer: PeerID) {
    peers[peer] = nil
    hellos[peer] = nil
    retries = retries.filter { $0.value.peer != peer }
    subscriptions.removeAll { $0.peer == peer }
  }

  /// - Parameter state: what the tap calls it: `left` after a goodbye, else `lost`.
  mutating func ended(_ peer: PeerID, _ state: String) {
    switch peers[peer] {
    case .client(let id):
      leave(id, peer, isOver: state == "left")
    case .feature(let node):
      if sequencer?.peer(of: node) == peer { sequencer?.lost(node) }
      if waitingFeatures[node] == peer { waitingFeatures[node] = nil }
      unlearnIfNotMigrated()
    case .worker:
      earlyReports.removeAll { $0.0 == peer }
      scheduler.workerLost(peer, at: clock)
    case nil: return
    }
    tapProcess(peer, state)
    forget(peer)
  }

  private mutating func journaled(_ ticket: UInt64) {
    sequencer?.journaled(ticket: ticket)
    if let pending = pendingCheckpoint, pending.ticket <= ticket {
      sequencer?.checkpointed(at: pending.sequence, states: pending.states)
      pendingCheckpoint = nil
      isCheckpointing = false
    }
  }

  private mutating func perform(_ command: SequencerOutput) {
    switch command {
    case .toNode(let node, let message):
      if let peer = sequencer?.peer(of: node) { send(peer, message) }
    case .append(let entries, let ticket):
      outputs.append(.append(entries, ticket: ticket))
    case .committed(let committed): self.committed(committed)
    case .nodeChanged(let node, let status):
      nodeSince[node] = clock.wall
      if status == .catchingUp { nodeRestarts[node, default: -1] += 1 }
      tapNode(node, status)
    case .fence(let peer, let reason): refuse(peer, .fenced, reason)
    case .effectsEnded(let ids):
      for id in ids {
        scheduler.cancel(id, at: clock)
        timers.cancel(id)
      }
    case .markerReleased(let marker): released(marker)
    case .markerDropped: isCheckpointing = pendingCheckpoint != nil
    case .startedEarly(let id): startIfAlive(id)
    }
  }
}
