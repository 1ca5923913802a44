/// How bad the network and the machines are, drawn anew for each seed. Odds are in a million.
struct FaultOdds {
  var loss: Int
  var duplication: Int
  /// A frame that takes 2 to 40 ms.
  var slowFrame: Int
  /// A connection that breaks and loses what was queued, both ways.
  var reconnect: Int
  var routerKill: Int
  var featureKill: Int
  var workerKill: Int
  /// A process that stands still for up to 3 s.
  var stop: Int

  init(using generator: inout SeededGenerator) {
    func odds(_ limit: Int) -> Int {
      // A third of the seeds is spared each kind of fault, so that faults are seen alone too.
      Int.random(in: 0..<3, using: &generator) == 0
        ? 0 : Int.random(in: 0...limit, using: &generator)
    }
    loss = odds(20_000)
    duplication = odds(20_000)
    slowFrame = odds(20_000)
    reconnect = odds(2_000)
    routerKill = odds(1_500)
    featureKill = odds(4_000)
    workerKill = odds(6_000)
    stop = odds(200)
  }
}
