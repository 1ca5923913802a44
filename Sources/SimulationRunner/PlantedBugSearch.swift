package import Machines
package import Simulation

/// Runs seeds with a planted bug, and counts those that find it.
package struct PlantedBugSearch: Sendable {
  package struct Result: Sendable {
    /// How many seeds were run with the bug, over all windows.
    package var seeds = 0
    /// In how many of them it showed.
    package var shown = 0
    package var first: (seed: UInt64, window: WindowPolicy, violation: Violation)?
    /// Seeds that fail without the bug too, and say nothing about it.
    package var failing: [UInt64] = []
  }

  package var application: any SimulatedApplication
  package var windows: [WindowPolicy]
  package var seeds: ClosedRange<UInt64>
  /// So many of the seeds are run in any case; more only as long as the bug has not shown.
  package var counted: UInt64
  /// Seeds that are run before it looks whether the bug has shown.
  private let batch: UInt64 = 4

  package init(
    application: any SimulatedApplication, windows: [WindowPolicy], seeds: ClosedRange<UInt64>,
    counted: UInt64
  ) {
    self.application = application
    self.windows = windows
    self.seeds = seeds
    self.counted = counted
  }

  package func run(_ bug: PlantedBug) -> Result {
    var result = Result()
    var start = seeds.lowerBound
    while start <= seeds.upperBound {
      let end = min(seeds.upperBound, start + batch - 1)
      for window in windows {
        let totals = SeedPool.run(start...end) { report($0, window, bug.faults) }
        result.seeds += totals.seeds
        for failure in totals.failures.sorted(by: { $0.seed < $1.seed }) {
          guard report(failure.seed, window, PlantedFaults()).violation == nil else {
            result.failing.append(failure.seed)
            continue
          }
          result.shown += 1
          if result.first == nil { result.first = (failure.seed, window, failure.violation) }
        }
        if result.shown > 0, end - seeds.lowerBound + 1 >= counted { return result }
      }
      start = end + 1
    }
    return result
  }

  private func report(
    _ seed: UInt64, _ window: WindowPolicy, _ faults: PlantedFaults
  ) -> SimulationReport {
    var options = SimulationOptions(seed: seed, window: window)
    options.faults = faults
    return SimulatedRun(options: options, application: application).report()
  }
}
