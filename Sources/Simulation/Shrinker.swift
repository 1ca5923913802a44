/// Makes the case of a failing seed small: fewer clients, faults and actions, as long as the same
/// invariant breaks. It draws nothing, so the same seed gives the same case; its bound is a number of
/// simulated events, so it is one of time too.
package struct Shrinker {
  package struct Result: Sendable {
    package var keep: SimulationCase
    package var report: SimulationReport
    package var runs: Int
  }

  private let run: (SimulationCase) -> SimulationReport
  private let invariant: Invariant
  private var best: SimulationCase
  private var bestReport: SimulationReport
  private var eventsLeft: Int
  private var runs = 0

  /// - Parameters:
  ///   - events: what may be simulated in all.
  ///   - run: runs a case of the seed.
  package init?(
    _ report: SimulationReport, keep: SimulationCase, events: Int = 400_000,
    run: @escaping (SimulationCase) -> SimulationReport
  ) {
    guard let violation = report.violation else { return nil }
    self.run = run
    invariant = violation.invariant
    best = keep
    bestReport = report
    eventsLeft = events
  }

  package mutating func shrink() -> Result {
    // What comes after the failure goes at once.
    var candidate = best
    candidate.actions = within(best.actions, bestReport.actions)
    candidate.faults = within(best.faults, bestReport.faults)
    _ = isFailing(candidate)
    var before: SimulationCase?
    while before != best, eventsLeft > 0 {
      before = best
      dropFaults()
      dropProcesses()
      dropActions()
    }
    return Result(keep: best, report: bestReport, runs: runs)
  }

  private func within(_ kept: Set<Int>?, _ count: Int) -> Set<Int> {
    kept?.filter { $0 < count } ?? Set(0..<count)
  }

  /// Takes the case when it fails in the same way.
  private mutating func isFailing(_ candidate: SimulationCase) -> Bool {
    guard candidate != best, eventsLeft > 0 else { return false }
    runs += 1
    let report = run(candidate)
    eventsLeft -= max(report.events, 1)
    guard report.violation?.invariant == invariant else { return false }
    best = candidate
    best.actions = best.actions?.filter { $0 < report.actions }
    best.faults = best.faults?.filter { $0 < report.faults }
    bestReport = report
    return true
  }

  private mutating func dropProcesses() {
    for clients in 1..<max(best.clients, 1) {
      var candidate = best
      candidate.clients = clients
      if isFailing(candidate) { break }
    }
    var candidate = best
    candidate.workers = 1
    _ = isFailing(candidate)
  }

  private mutating func dropFaults() {
    drop(\.faults)
  }

  private mutating func dropActions() {
    drop(\.actions)
  }

  /// Leaves out all, then halves, quarters and so on, down to single ones.
  private mutating func drop(_ kept: WritableKeyPath<SimulationCase, Set<Int>?>) {
    var size = best[keyPath: kept]?.count ?? 0
    while size > 0, eventsLeft > 0 {
      var start = 0
      while let all = best[keyPath: kept]?.sorted(), start < all.count, eventsLeft > 0 {
        var candidate = best
        candidate[keyPath: kept]?.subtract(all[start..<min(start + size, all.count)])
        // What follows moves up when it is left out.
        if !isFailing(candidate) { start += size }
      }
      size /= 2
    }
  }
}
