import Machines
import PenstockCore
import Simulation
import WireTestSupport

/// An in-memory transport between one server and some clients that does what libzmq does, and worse.
struct FaultyTransport {
  struct Faults {
    var loss = 0
    var duplication = 0
    /// Percentage of frames that take much longer than the others.
    var delay = 0
  }

  struct Packet {
    var due: Int64
    var order: Int
    var client: Int
    var isToServer: Bool
    var route: Bytes
    var frame: Bytes
  }

  var faults: Faults
  private var random: SeededGenerator
  private var packets: [Packet] = []
  private var order = 0
  private(set) var routes: [Bytes]
  private var lastRoute: UInt32 = 0
  private(set) var sent = 0

  init(clients: Int, faults: Faults, seed: UInt64) {
    self.faults = faults
    random = SeededGenerator(seed: seed)
    routes = (0..<clients).map { [0, UInt8($0)] }
  }

  private(set) var nextDue: Int64?

  mutating func send(_ frame: Bytes, client: Int, isToServer: Bool, route: Bytes, now: Int64) {
    sent += 1
    guard !random.chance(faults.loss) else { return }
    for _ in 0..<(random.chance(faults.duplication) ? 2 : 1) {
      let latency = random.chance(faults.delay) ? 1 + random.below(60_000) : 200
      order += 1
      nextDue = min(nextDue ?? .max, now + Int64(latency))
      packets.append(
        Packet(
          due: now + Int64(latency), order: order, client: client, isToServer: isToServer,
          route: route, frame: frame))
    }
  }

  /// What has arrived; frames to a routing id that is gone are lost.
  mutating func take(now: Int64) -> [Packet] {
    guard let nextDue, nextDue <= now else { return [] }
    let due = packets.filter { $0.due <= now }.sorted { ($0.due, $0.order) < ($1.due, $1.order) }
    packets.removeAll { $0.due <= now }
    self.nextDue = packets.map(\.due).min()
    return due.filter { $0.isToServer || routes[$0.client] == $0.route }
  }

  /// The client's connection breaks and comes back under another routing id; what was queued for it
  /// is lost, and sometimes what it had queued.
  mutating func reconnect(_ client: Int) {
    lastRoute += 1
    routes[client] = [1, UInt8(client), UInt8(lastRoute & 0xFF), UInt8(lastRoute >> 8)]
    let losesBoth = random.chance(70)
    packets.removeAll { $0.client == client && (!$0.isToServer || losesBoth) }
  }

  mutating func loseAll() { packets.removeAll() }
}
