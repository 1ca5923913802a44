package import Machines

/// The sums of many seeds, and what they have to show.
package struct SimulationTotals: Sendable {
  package struct Failure: Sendable {
    package var seed: UInt64
    package var violation: Violation
  }

  package private(set) var seeds = 0
  package private(set) var failures: [Failure] = []
  package private(set) var reached = RarePaths()
  package private(set) var struck: [Fault: Int] = [:]
  private var sums = SimulationReport()

  package init() {}

  package mutating func add(_ report: SimulationReport, seed: UInt64) {
    seeds += 1
    sums.events += report.events
    sums.records += report.records
    sums.squashes += report.squashes
    sums.unmounts += report.unmounts
    sums.voids += report.voids
    sums.restarts += report.restarts
    sums.sends += report.sends
    sums.outputs += report.outputs
    sums.publications += report.publications
    sums.messages += report.messages
    reached.add(report.reached)
    struck.merge(report.struck, uniquingKeysWith: +)
    if let violation = report.violation {
      failures.append(Failure(seed: seed, violation: violation))
    }
  }

  /// What happened in a seed, on the average, by name.
  package var means: [(name: String, mean: Double)] {
    let count = Double(max(seeds, 1))
    let faults = struck.values.reduce(0, +)
    return [
      ("events", sums.events), ("records", sums.records), ("sends", sums.sends),
      ("outputs", sums.outputs), ("squashes", sums.squashes), ("unmounts", sums.unmounts),
      ("voids", sums.voids), ("restarts", sums.restarts), ("faults", faults),
      ("publications", sums.publications), ("messages", sums.messages),
    ].map { ($0.0, Double($0.1) / count) }
  }

  /// What is too rare for the run to mean much. A window of 1 has few squashes by its nature.
  package func shortfalls(isLockStep: Bool, leastUnmounts: Double = 1) -> [String] {
    var needed: [(String, Double)] = [("voids", 1), ("restarts", 1)]
    if !isLockStep { needed += [("squashes", 5), ("unmounts", leastUnmounts)] }
    return needed.compactMap { name, least in
      let mean = means.first { $0.name == name }?.mean ?? 0
      return mean < least ? "\(name): \(mean) a seed, at least \(least) are needed" : nil
    }
  }
}
