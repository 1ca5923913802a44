import Machines
import PenstockCore
import Wire

/// Runs the real machines of one system in one thread, on simulated network, disk and time.
///
/// Chaos first: faults of all kinds while clients send. Then the faults end, and everything has to
/// come to rest within a bounded time. The journal is the order; the oracle replays it and judges
/// every state that was published (`Simulator+Judge`), and more is checked at each step.
package final class Simulator {
  enum Event {
    case toRouter(peer: Int, life: Int, connection: Int, frame: Bytes)
    case toPeer(peer: Int, life: Int, connection: Int, frame: Bytes)
    case synced(life: Int)
    case killRouter(life: Int)
    case wakeRouter(life: Int)
    case wakePeer(peer: Int, life: Int)
    case startRouter
    case survivorActs
    case startPeer(Int)
    case endDraining(peer: Int, life: Int)
    case endHang(peer: Int, life: Int)
    case act(client: Int)
    case effectStep(peer: Int, life: Int, effect: EffectID, attempt: Attempt, step: Int)
    case calm
  }

  let options: SimulationOptions
  let application: any SimulatedApplication
  let program: any ApplicationProgram
  let placement: [Path]
  /// What takes how long. Actions and faults have streams of their own, so that a shrunk case keeps
  /// as much as possible of what was drawn.
  var generator: SeededGenerator
  var load: SeededGenerator
  private var faults: SeededGenerator
  let odds: FaultOdds
  let isTapped: Bool
  var isChaos = true
  var now: Int64 = 1_000_000
  /// The wall clock's lead, which steps.
  var wallStep: Int64 = 0
  /// No sync ends before.
  var diskIsSlowUntil: Int64 = 0
  var queue = EventQueue<Event>()
  var disk = SimulatedDisk()
  var router: SimulatedRouter?
  var routerLife = 0
  /// A killed router that has not noticed yet.
  var survivor: RouterMachine?
  var checkpointInterval = 0
  var watch = RouterWatch()
  var peers: [SimulatedPeer] = []
  var violation: Violation?
  var report = SimulationReport()
  var evidence = Evidence()
  var actionsLeft: Int
  var origins: [UInt64: Origin] = [:]
  var steps = 0
  /// What was missing for rest, and how often.
  private var unrests: [String: Int] = [:]

  package init(options: SimulationOptions, application: any SimulatedApplication) {
    self.options = options
    self.application = application
    program = application.program
    generator = SeededGenerator(seed: options.seed &* 0x2545_F491_4F6C_DD1D &+ 1)
    odds = FaultOdds(using: &generator)
    placement = application.placements.randomElement(using: &generator) ?? [.root]
    let drawn = generator.next() & 1 == 1
    isTapped = options.isTapped ?? (drawn && !odds.isQuiet)
    load = SeededGenerator(seed: generator.next())
    faults = SeededGenerator(seed: generator.next())
    actionsLeft = options.clientActions
  }

  package func run() -> SimulationReport {
    begin()
    let limit = 400_000
    while violation == nil, let (time, event) = queue.removeFirst() {
      now = max(now, time)
      handle(event)
      steps += 1
      if steps > limit {
        fail(.comesToRest, "it does not in \(limit) events: \(mostUnrest)")
      }
      if !isChaos {
        let unrest = unrest
        if unrest.isEmpty { break }
        unrests[unrest, default: 0] += 1
      }
      if now > calmTime + 120_000_000 {
        fail(.comesToRest, "it does not in two minutes: \(mostUnrest)")
      }
    }
    if violation == nil, !unrest.isEmpty {
      fail(.comesToRest, "no event is left, but \(unrest)")
    }
    if violation == nil { judge() }
    for peer in peers { report.add(peer) }
    report.violation = violation
    report.events = steps
    report.journal = disk.chain.value
    return report
  }

  private var mostUnrest: String {
    unrests.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4)
      .map { "\($0.key) (\($0.value) times)" }.joined(separator: ", ")
  }

  var calmTime: Int64 = .max - 200_000_000

  private func begin() {
    queue.add(.startRouter, at: now)
    for path in placement { peers.append(SimulatedPeer(kind: .feature(path))) }
    for index in 0..<options.keep.workers {
      peers.append(SimulatedPeer(kind: .worker("worker-\(index)")))
    }
    for index in 0..<options.keep.clients {
      peers.append(SimulatedPeer(kind: .client("client-\(index)")))
    }
    evidence.submitted = peers.map { _ in [:] }
    for index in peers.indices {
      queue.add(.startPeer(index), at: now + Int64.random(in: 0...20_000, using: &generator))
    }
  }

  private func handle(_ event: Event) {
    switch event {
    case .startRouter: startRouter()
    case .survivorActs: survivorActs()
    case .startPeer(let peer): startPeer(peer)
    case .endDraining(let peer, let life):
      guard peers[peer].life == life else { return }
      endDraining(peer)
    case .endHang(let peer, let life):
      guard peers[peer].life == life else { return }
      endHang(peer)
    case .toRouter(let peer, let life, let connection, let frame):
      guard peers[peer].life == life, peers[peer].connection == connection else { return }
      routerReceived(frame, from: peer)
    case .toPeer(let peer, let life, let connection, let frame):
      guard peers[peer].life == life, peers[peer].connection == connection else { return }
      if delayWhileStopped(peer, event) { return }
      peerReceived(peer, frame)
    case .killRouter(let life):
      guard life == routerLife, isChaos else { return }
      killRouter()
    case .synced(let life):
      guard life == routerLife else { return }
      synced()
    case .wakeRouter(let life):
      guard life == routerLife else { return }
      if let until = router?.stoppedUntil, until > now {
        queue.add(event, at: until)
        return
      }
      router?.wakeAt = nil
      routerHandles(.tick)
    case .wakePeer(let peer, let life):
      guard peers[peer].life == life else { return }
      if delayWhileStopped(peer, event) { return }
      peers[peer].wakeAt = nil
      pollPeer(peer)
    case .act(let client): clientActs(client)
    case .effectStep(let peer, let life, let effect, let attempt, let step):
      guard peers[peer].life == life else { return }
      if delayWhileStopped(peer, event) { return }
      effectStepped(peer, effect, attempt, step)
    case .calm: becomeCalm()
    }
  }

  func delayWhileStopped(_ peer: Int, _ event: Event) -> Bool {
    guard let until = peers[peer].stoppedUntil else { return false }
    if until <= now {
      peers[peer].stoppedUntil = nil
      return false
    }
    queue.add(event, at: until)
    return true
  }

  func fail(_ invariant: Invariant, _ sentence: @autoclosure () -> String) {
    if violation == nil { violation = Violation(invariant, sentence()) }
  }

  /// The clients have sent everything: no more faults, and all has to settle.
  private func becomeCalm() {
    trace("the faults end")
    isChaos = false
    calmTime = now
    for peer in peers.indices where peers[peer].stoppedUntil != nil {
      peers[peer].stoppedUntil = now
    }
    router?.stoppedUntil = nil
    for peer in peers.indices { clientCalms(peer) }
  }

  /// A fault that comes with some odds while there is chaos.
  func strikes(_ fault: Fault, divided: Int = 1) -> Bool {
    guard isChaos, options.hasFaults, odds[fault] > 0, faults.happens(odds[fault] / divided) else {
      return false
    }
    let ordinal = report.faults
    report.faults += 1
    guard options.keep.faults?.contains(ordinal) ?? true else { return false }
    report.struck[fault, default: 0] += 1
    trace("fault \(ordinal): \(fault.rawValue)")
    return true
  }

  /// A time that a fault takes, from the faults' own stream.
  func faultTime(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &faults) }

  func trace(_ sentence: @autoclosure () -> String) {
    if let trace = options.trace { trace("\(now) \(sentence())") }
  }
}
