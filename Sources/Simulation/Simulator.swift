import Machines
import PenstockCore
import Wire

/// Runs the real machines of one system in one thread, on simulated network, disk and time.
///
/// Chaos first: faults of all kinds while clients send. Then the faults end, and everything has to
/// come to rest within a bounded time. The journal is the order; the oracle replays it and judges
/// every state that was published, and invariants are checked at each step (`Simulator+Judge`).
package final class Simulator {
  enum Event {
    case toRouter(peer: Int, life: Int, connection: Int, frame: Bytes)
    case toPeer(peer: Int, life: Int, connection: Int, frame: Bytes)
    case synced(life: Int)
    case wakeRouter(life: Int)
    case wakePeer(peer: Int, life: Int)
    case startRouter
    case startPeer(Int)
    case act(client: Int)
    case effectStep(peer: Int, life: Int, effect: EffectID, attempt: Attempt, step: Int)
    case calm
  }

  let options: SimulationOptions
  let application: any SimulatedApplication
  let program: any ApplicationProgram
  let placement: [Path]
  var generator: SeededGenerator
  var odds: FaultOdds
  var isChaos = true
  var now: Int64 = 1_000_000
  var queue = EventQueue<Event>()
  var disk = SimulatedDisk()
  var router: SimulatedRouter?
  var routerLife = 0
  var peers: [SimulatedPeer] = []
  var failure: String?
  var report = SimulationReport()
  var actionsLeft: Int
  var published: [UInt64: Bytes] = [:]
  /// By sequence what features were told of where a record came from, and at which start.
  var told: [UInt64: (start: UInt32, cause: UInt64, correlation: UInt64)] = [:]
  var acknowledged: [ClientAction: UInt64] = [:]
  var steps = 0
  /// What was missing for rest, and how often.
  private var unrests: [String: Int] = [:]

  struct ClientAction: Hashable {
    var session: UInt64
    var sequence: UInt64
  }

  package init(options: SimulationOptions, application: any SimulatedApplication) {
    self.options = options
    self.application = application
    program = application.program
    generator = SeededGenerator(seed: options.seed &* 0x2545_F491_4F6C_DD1D &+ 1)
    odds = FaultOdds(using: &generator)
    placement = application.placements.randomElement(using: &generator) ?? [.root]
    actionsLeft = options.clientActions
  }

  package func run() -> SimulationReport {
    begin()
    let limit = 400_000
    while failure == nil, let (time, event) = queue.removeFirst() {
      now = max(now, time)
      handle(event)
      steps += 1
      if steps > limit {
        fail(
          "it does not come to rest in \(limit) events: \(unrests.sorted { $0.value < $1.value })")
      }
      if !isChaos {
        let unrest = unrest
        if unrest.isEmpty { break }
        unrests[unrest, default: 0] += 1
      }
      if now > calmTime + 120_000_000 {
        fail("it does not come to rest: \(unrests.sorted { $0.value < $1.value })")
      }
    }
    if failure == nil, !isAtRest { fail("no event is left, but it is not at rest: \(unrest)") }
    if failure == nil { judge() }
    report.failure = failure
    report.events = steps
    return report
  }

  var calmTime: Int64 = .max - 200_000_000

  private func begin() {
    queue.add(.startRouter, at: now)
    for path in placement { peers.append(SimulatedPeer(kind: .feature(path))) }
    for index in 0..<2 { peers.append(SimulatedPeer(kind: .worker("worker-\(index)"))) }
    for index in 0..<3 { peers.append(SimulatedPeer(kind: .client("client-\(index)"))) }
    for index in peers.indices {
      queue.add(.startPeer(index), at: now + Int64.random(in: 0...20_000, using: &generator))
    }
  }

  private func handle(_ event: Event) {
    switch event {
    case .startRouter: startRouter()
    case .startPeer(let peer): startPeer(peer)
    case .toRouter(let peer, let life, let connection, let frame):
      guard peers[peer].life == life, peers[peer].connection == connection else { return }
      routerReceived(frame, from: peer)
    case .toPeer(let peer, let life, let connection, let frame):
      guard peers[peer].life == life, peers[peer].connection == connection else { return }
      if delayWhileStopped(peer, event) { return }
      peerReceived(peer, frame)
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

  func fail(_ sentence: String) {
    if failure == nil { failure = sentence }
  }

  /// The clients have sent everything: no more faults, and all has to settle.
  private func becomeCalm() {
    isChaos = false
    calmTime = now
    for peer in peers.indices where peers[peer].stoppedUntil != nil {
      peers[peer].stoppedUntil = now
    }
    router?.stoppedUntil = nil
  }

  /// A fault that comes with some odds while there is chaos.
  func chance(_ odds: Int) -> Bool {
    isChaos && options.hasFaults && odds > 0 && generator.happens(odds)
  }

  func trace(_ sentence: @autoclosure () -> String) {
    if let trace = options.trace { trace("\(now) \(sentence())") }
  }
}
