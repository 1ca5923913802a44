package import PenstockCore
package import Wire

/// Puts actions into one order and moves them through the nodes, out of order inside, in order outside.
///
/// A record gets its number N on arrival (`admit`) and is issued at once at its owner's node, then,
/// lowest first, at each ancestor whose logic observes it. Nodes answer in increasing N. A stage may
/// run before an ancestor's stage of a smaller number; if that ancestor turns out to write to the
/// node, everything above is squashed: rolled back under a new epoch and issued again (R4). A record
/// *retires* when all its stages have answered and all records before it have retired: then its
/// mounts and effects take hold and its sends get numbers. It *commits* when it is durable too (R11).
///
/// Invariants: a node is given items in increasing order of sequence; an ancestor with logic is given
/// (N, stage) only when each node below it has answered all it owes up to N, so its mirrors are as of
/// (N, stage); the head, the lowest unretired record, can always be issued, so all waits go to smaller
/// (N, stage) and nothing deadlocks.
package struct Sequencer: Sendable {
  package let topology: Topology
  package let configuration: SequencerConfiguration
  package internal(set) var epoch: Epoch
  package internal(set) var counts = SequencerCounts()
  package internal(set) var rare = RarePaths()
  package internal(set) var outputs: [SequencerOutput] = []

  var nodes: [NodeState]
  /// What features share, in the order of `topology.shared`.
  var shared: [SharedState]
  /// Records from the first unretired one on.
  var inFlight = Deque<InFlight>()
  /// The number that the next record gets.
  package internal(set) var next: UInt64 = 1
  var uncommitted = Deque<(committed: Committed, ticket: UInt64)>()
  package internal(set) var committedThrough: UInt64 = 0
  var durableTicket: UInt64 = 0
  var lastTicket: UInt64 = 0
  var batch: [JournalEntry] = []
  /// All records since the checkpoint, by sequence minus `tailBase`.
  var tail: [OrderRecord] = []
  var tailBase: UInt64 = 1
  /// Bytes of payloads since the checkpoint, and of shared values that came since it was written.
  package internal(set) var tailBytes = 0

  var mounts = MountTable()
  /// Ways by path, kept because most paths come often.
  private var ways: [Path: Topology.Way] = [:]
  /// The place of the way that was looked up last; nil after each change of the table.
  private var lastWay: (path: Path, place: Dictionary<Path, Topology.Way>.Index)?
  package internal(set) var effects = EffectRegistry()
  /// The lowest record whose route was compared with the mounts as they really are.
  var validated: UInt64 = 0
  /// Deaths of a process while it reduced nothing but this origin's record (R5).
  var loneDeaths: [Origin: Int] = [:]
  /// Up to here the records come from the journal of an earlier start.
  package internal(set) var recoveredThrough: UInt64 = 0
  /// By origin the last record that the journal of earlier starts has of it.
  var lastJournaled: [Origin: UInt64] = [:]
  /// All of the system is going to stop: nothing gets a number any more.
  var isStopping = false
  var orderTime: Int64 = 0
  var lastElapsed: Int64?
  var monotonic: Int64 = 0
  /// Whether the tap wants each record's changes of the state.
  package var wantsPatches = false
  /// Whether somebody follows a state.
  package var hasReaders = false { didSet { if hasReaders, !oldValue { forgetUnasked() } } }
  /// The sequence of the marker that is on its way.
  var marker: UInt64?
  /// Sequences of the markers that are on their way, or released and not durable as checkpoints yet.
  var cuts: [UInt64] = []
  var lastMarkerID: UInt32 = 0
  var capture: RouterPart?

  package init(topology: Topology, configuration: SequencerConfiguration, start: UInt32) {
    self.topology = topology
    self.configuration = configuration
    epoch = Epoch(start: start, squash: 0)
    shared = topology.shared.map { _ in SharedState() }
    nodes = topology.nodes.map { _ in NodeState(window: max(1, configuration.window.bound)) }
  }

  /// The highest retired sequence.
  package var retired: UInt64 { next - 1 - UInt64(inFlight.count) }

  package mutating func drainOutputs() -> [SequencerOutput] {
    var drained: [SequencerOutput] = []
    drainOutputs(into: &drained)
    return drained
  }

  /// - Parameter drained: empty; its memory is used for the next outputs.
  package mutating func drainOutputs(into drained: inout [SequencerOutput]) {
    flushJournal()
    tellRetired()
    swap(&outputs, &drained)
  }

  // MARK: Time

  /// Advances the clocks: order time follows the wall clock forward and never goes back (R13).
  package mutating func advance(to clock: ClockReading) {
    if let lastElapsed { orderTime += max(0, clock.elapsed - lastElapsed) }
    lastElapsed = clock.elapsed
    monotonic = clock.monotonic
    orderTime = max(orderTime, clock.wall)
  }

  package var now: Int64 { orderTime }

  // MARK: Numbering

  /// Whether each node that an action of this path needs is up (R2).
  package mutating func availability(of path: Path, payload: Bytes) -> NodeStatus {
    availability(of: route(path, payload))
  }

  private func availability(of route: Topology.Route) -> NodeStatus {
    var worst = NodeStatus.up
    for index in route.stages {
      if nodes[index].isHeld { worst = .restarting }
      switch nodes[index].status {
      case .up: continue
      case .down: return .down
      case .catchingUp where nodes[index].wasDown: return .down
      case .absent, .restarting, .catchingUp: worst = .restarting
      }
    }
    return worst
  }

  /// Gives a record its number, appends it to the journal and issues it.
  @discardableResult
  package mutating func admit(
    origin: Origin, path: Path, payload: Bytes, correlation: UInt64? = nil
  ) -> UInt64 {
    admit(
      origin: origin, path: path, payload: payload, correlation: correlation,
      route: route(path, payload))
  }

  /// Gives the action its number if each node that it needs is up (R2).
  package mutating func admitIfAvailable(
    origin: Origin, path: Path, payload: Bytes
  ) -> NodeStatus {
    let route = route(path, payload)
    let status = availability(of: route)
    if status == .up {
      admit(origin: origin, path: path, payload: payload, correlation: nil, route: route)
    }
    return status
  }

  @discardableResult
  private mutating func admit(
    origin: Origin, path: Path, payload: Bytes, correlation: UInt64?, route: Topology.Route
  ) -> UInt64 {
    let sequence = next
    let record = OrderRecord(
      sequence: sequence, path: path, payload: payload, now: orderTime,
      seed: Self.seed(configuration.seed, sequence), origin: origin,
      correlation: correlation ?? sequence)
    append(.record(record))
    enter(record, isVoid: false, route: route)
    return sequence
  }

  @discardableResult
  private mutating func admit(_ item: Waiting) -> UInt64 {
    admit(
      origin: item.origin, path: item.path, payload: item.payload, correlation: item.correlation)
  }

  /// Numbers what comes from inside (a send, output, end or tick), or lets it wait for its node (R2).
  package mutating func admitOrWait(_ item: Waiting) {
    let owner = topology.owner(of: item.path)
    if nodes[owner].waiting.isEmpty, isAvailable(item) {
      admit(item)
    } else {
      if case .send = item.origin, nodes[owner].waiting.count >= configuration.waitingLimit {
        // One feature's flood must not fill the memory: the newest is set aside for good (R16).
        rare.reach(.runaway)
        void([admit(item)], .runaway)
        return
      }
      var item = item
      item.since = next
      nodes[owner].waiting.append(item)
    }
  }

  private mutating func isAvailable(_ item: Waiting) -> Bool {
    if case .end = item.origin { return !isStopping }
    guard availability(of: item.path, payload: item.payload) == .up else { return false }
    guard loneDeaths[item.origin] != nil else { return true }
    return route(item.path, item.payload).stages.allSatisfy { nodes[$0].stages.isEmpty }
  }

  mutating func admitWaiting() {
    for index in nodes.indices {
      while let item = nodes[index].waiting.first, isAvailable(item) {
        _ = nodes[index].waiting.removeFirst()
        admit(item)
      }
    }
  }

  /// Takes a numbered record into flight.
  mutating func enter(
    _ record: OrderRecord, isVoid: Bool, isDurable: Bool = false, route: Topology.Route? = nil
  ) {
    precondition(record.sequence == next, "records enter in order, without gaps")
    next += 1
    counts.records += 1
    tail.append(record)
    tailBytes += record.payload.count
    var item = InFlight(
      record: record, minimumEpoch: .zero, ticket: isDurable ? 0 : lastTicket + 1,
      numberedAt: monotonic)
    item.isVoid = isVoid
    inFlight.append(item)
    assignStages(at: inFlight.count - 1, route: route)
  }

  /// Routes the in-flight record and queues it at its nodes.
  /// - Parameter route: when it is known already.
  mutating func assignStages(at index: Int, route: Topology.Route? = nil) {
    inFlight[index].cursor = 0
    inFlight[index].stages = []
    inFlight[index].reads = []
    inFlight[index].first = nil
    inFlight[index].later = []
    if !inFlight[index].isVoid {
      if inFlight[index].refusal != nil { rare.reach(.refusalForgotten) }
      inFlight[index].refusal = nil
    }
    if case .end = inFlight[index].record.origin { return }
    if inFlight[index].isVoid { return }
    let route = route ?? self.route(inFlight[index].record.path, inFlight[index].record.payload)
    inFlight[index].isUnmounted = route.isUnmounted
    inFlight[index].stages = route.stages
    if !topology.shared.isEmpty {
      inFlight[index].reads = ways.values[placeOfWay(to: inFlight[index].record.path)].reads
    }
    inFlight[index].hasFixedRoute = route.isFixed
    let sequence = inFlight[index].record.sequence
    for node in route.stages { nodes[node].stages.append(sequence) }
    guard let owner = route.stages.first else { return }
    for node in topology.nodes[owner].written { nodes[node].subtree.append(sequence) }
  }

  /// The route by what is known now: the retired mounts and the answered changes above them.
  mutating func route(_ path: Path, _ payload: Bytes) -> Topology.Route {
    let place = placeOfWay(to: path)
    return topology.route(&ways.values[place], path, payload: payload) { mounts.isMounted($0) }
  }

  /// The route by the mounts as of the retired head.
  mutating func retiredRoute(_ path: Path, _ payload: Bytes) -> Topology.Route {
    let place = placeOfWay(to: path)
    return topology.route(&ways.values[place], path, payload: payload) { mounts.retired[$0] != nil }
  }

  /// The canonical address of an action; nil when no scope has the path.
  package mutating func canonical(
    _ path: Path, _ payload: Bytes
  ) -> (path: Path, payload: Bytes)? {
    // Below a level without children there is nothing to peel off.
    if ways.values[placeOfWay(to: path)].isLeaf { return (path, payload) }
    guard let address = topology.description.canonical(path, payload) else { return nil }
    // An address that no message can hold is none; the owner of the outer one refuses the action.
    return address.path.description.utf8.count <= Limits.path ? address : (path, payload)
  }

  private mutating func placeOfWay(to path: Path) -> Dictionary<Path, Topology.Way>.Index {
    if let lastWay, lastWay.path == path { return lastWay.place }
    if ways[path] == nil {
      if ways.count >= Self.waysLimit { ways = [:] }
      ways[path] = topology.way(to: path)
    }
    let place = ways.index(forKey: path)!
    lastWay = (path, place)
    return place
  }

  private static var waysLimit: Int { 16_384 }

  static func seed(_ base: UInt64, _ sequence: UInt64) -> UInt64 {
    // splitmix64: one well-mixed value a record.
    var value = base &+ (sequence &* 0x9E37_79B9_7F4A_7C15)
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// What was issued before somebody wanted changes may be answered without them.
  private mutating func forgetUnasked() {
    for index in nodes.indices where !topology.nodes[index].hasReader {
      nodes[index].unknownThrough = max(nodes[index].unknownThrough, nodes[index].delivered)
    }
  }

  // MARK: Journal

  mutating func append(_ entry: JournalEntry) { batch.append(entry) }

  /// The ticket under which what is appended now will be durable.
  var nextTicket: UInt64 { lastTicket + 1 }

  mutating func flushJournal() {
    guard !batch.isEmpty else { return }
    lastTicket += 1
    outputs.append(.append(batch, ticket: lastTicket))
    batch = []
  }

  /// Everything up to the ticket is durable.
  package mutating func journaled(ticket: UInt64) {
    durableTicket = max(durableTicket, ticket)
    commitReady()
  }
}

extension Sequencer {
  /// Nothing is in flight, waits or is not durable.
  package var isIdle: Bool {
    inFlight.isEmpty && uncommitted.isEmpty && nodes.allSatisfy { $0.waiting.isEmpty }
  }

  /// The dynamic mounts as of the retired head.
  package var mountedGenerations: [Path: Generation] { mounts.retired.mapValues(\.generation) }
}
