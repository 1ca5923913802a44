import Glibc
import Platform
package import Simulation
import Synchronization

/// Runs seeds on all cores. A seed's run is one thread's, so it is the same every time.
package enum SeedPool {
  /// - Parameters:
  ///   - run: called for each seed, on any of the threads.
  ///   - failed: called for each seed that failed, one at a time.
  package static func run(
    _ seeds: ClosedRange<UInt64>, threads: Int = cores,
    failed: @escaping @Sendable (UInt64, SimulationReport) -> Void = { _, _ in },
    _ run: @escaping @Sendable (UInt64) -> SimulationReport
  ) -> SimulationTotals {
    let totals = Mutex(SimulationTotals())
    let next = Atomic(seeds.lowerBound)
    let workers = (0..<max(1, threads)).map { index in
      OwnedThread(name: "seeds-\(index)") {
        while true {
          let seed = next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard seed <= seeds.upperBound else { return }
          OwnedThread.rename("seed \(seed)")
          let report = run(seed)
          totals.withLock {
            $0.add(report, seed: seed)
            if report.violation != nil { failed(seed, report) }
          }
        }
      }
    }
    for worker in workers { worker.join() }
    return totals.withLock { $0 }
  }

  package static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
