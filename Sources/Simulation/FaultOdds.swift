/// How bad the network and the machines are, drawn anew for each seed. Odds are in a million.
struct FaultOdds {
  private var odds: [Fault: Int] = [:]
  /// Bounds so small that they are reached, in some seeds; nil leaves the machine's own.
  var waitingLimit: Int?
  var heldLimit: Int?
  var inFlightLimit: Int?
  var sendsLimit: Int?
  /// Bytes of a frame; single messages may exceed it.
  var batchBytes: Int?
  /// Nobody follows a state before the end, so features are not asked for their changes.
  var isQuiet = false
  /// How often a sync takes long.
  var slowSync = 20_000
  var slowestSync: Int64 = 80_000

  init(using generator: inout SeededGenerator) {
    func draw(_ limit: Int) -> Int {
      // A third of the seeds is spared each kind of fault, so that faults are seen alone too.
      Int.random(in: 0..<3, using: &generator) == 0
        ? 0 : Int.random(in: 0...limit, using: &generator)
    }
    let limits: [(Fault, Int)] = [
      (.loss, 20_000), (.duplication, 20_000), (.slowFrame, 20_000), (.reconnect, 2_000),
      (.routerKill, 1_500), (.featureKill, 4_000), (.featureHang, 300), (.workerKill, 20_000),
      (.checkpointKill, 600_000), (.retryKill, 400_000), (.slowDisk, 2_000_000),
      (.workerStop, 40_000), (.stop, 200),
      (.routerStop, 20), (.clockStep, 20_000), (.poison, 12_000), (.attemptFailure, 600_000),
      (.hang, 60_000), (.drain, 30_000), (.survivor, 400_000), (.nonsense, 20_000),
    ]
    for (fault, limit) in limits { odds[fault] = draw(limit) }
    func bound(_ range: ClosedRange<Int>) -> Int? {
      Int.random(in: 0..<8, using: &generator) == 0
        ? Int.random(in: range, using: &generator) : nil
    }
    waitingLimit = bound(1...20)
    heldLimit = bound(3...30)
    inFlightLimit = bound(4...64)
    sendsLimit = bound(2...4)
    batchBytes = bound(1...2_000)
    isQuiet = Int.random(in: 0..<8, using: &generator) == 0
    if Int.random(in: 0..<4, using: &generator) == 0 {
      slowSync = 300_000
      slowestSync = 400_000
    }
  }

  subscript(fault: Fault) -> Int { odds[fault] ?? 0 }
}
