package import Machines
package import Simulation

/// Runs seeds with a planted bug until one differs from the oracle.
package struct PlantedBugSearch: Sendable {
  package struct Result: Sendable {
    /// How many seeds were run with the bug, over all windows.
    package var seeds = 0
    /// In how many of them it showed.
    package var shown = 0
    package var first: (seed: UInt64, window: WindowPolicy, sentence: String)?
    /// Seeds that fail without the bug too, and say nothing about it.
    package var failing: [UInt64] = []
  }

  package var application: any SimulatedApplication
  package var windows: [WindowPolicy]
  package var seeds: ClosedRange<UInt64>
  /// Seeds that are run before it looks whether the bug has shown.
  package var batch = 4

  package init(
    application: any SimulatedApplication, windows: [WindowPolicy], seeds: ClosedRange<UInt64>
  ) {
    self.application = application
    self.windows = windows
    self.seeds = seeds
  }

  package func run(_ bug: PlantedBug) -> Result {
    var result = Result()
    var start = seeds.lowerBound
    while result.shown == 0, start <= seeds.upperBound {
      let end = min(seeds.upperBound, start + UInt64(batch) - 1)
      for window in windows where result.shown == 0 {
        let totals = SeedPool.run(start...end) { report($0, window, bug.faults) }
        result.seeds += totals.seeds
        for (seed, sentence) in totals.failures.sorted(by: { $0.seed < $1.seed }) {
          guard report(seed, window, PlantedFaults()).failure == nil else {
            result.failing.append(seed)
            continue
          }
          result.shown += 1
          if result.first == nil { result.first = (seed, window, sentence) }
        }
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
    return Simulator(options: options, application: application).run()
  }
}
