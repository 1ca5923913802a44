import Glibc
import Machines
package import Simulation
import Synchronization

/// Runs what a request asks for, and prints it. All of its answers are equal for equal requests, but
/// for the order in which failing seeds are found.
package struct SimulationRun: Sendable {
  private let request: SimulationRequest
  private let print: @Sendable (String) -> Void
  /// Failures that are shrunk and traced; the rest is only named.
  private static let detailed = 3

  package init(_ request: SimulationRequest, print: @escaping @Sendable (String) -> Void) {
    self.request = request
    self.print = print
  }

  /// - Returns: whether nothing was found.
  package func run() -> Bool {
    TrapReport.install()
    if let seed = request.seed { return runSeed(seed) }
    return runSeeds()
  }

  private func report(_ options: SimulationOptions) -> SimulationReport {
    SimulatedRun(options: options, application: request.application).report()
  }

  // MARK: Many seeds

  private func runSeeds() -> Bool {
    let count = request.count ?? 1_000
    let explained = Mutex(0)
    let isText = !request.isJSON
    let totals = SeedPool.run(
      request.first...(request.first + count - 1),
      failed: { seed, report in
        guard isText else { return }
        let isDetailed = explained.withLock { number in
          number += 1
          return number <= Self.detailed
        }
        isDetailed ? explain(seed, report) : name(seed, report)
      }, { report(request.options($0)) })
    let shortfalls = shortfalls(totals, count)
    let text = SimulationText(request, totals, shortfalls)
    print(request.isJSON ? text.json + "\n" : text.summary)
    return totals.failures.isEmpty && shortfalls.isEmpty
  }

  /// What makes a run say less than it should.
  private func shortfalls(_ totals: SimulationTotals, _ count: UInt64) -> [String] {
    guard request.hasFaults, request.keep.isEverything else { return [] }
    let application = request.application
    let isLockStep = request.actualWindow == .fixed(1)
    var shortfalls: [String] = []
    if let least = application.leastUnmounts {
      shortfalls = totals.shortfalls(isLockStep: isLockStep, leastUnmounts: least).map {
        "too few \($0)"
      }
    }
    guard application.reachesRarePaths, count >= SimulationRequest.leastForRarePaths,
      request.bug == nil
    else { return shortfalls }
    let missed = totals.reached.missed.filter { !isLockStep || !$0.needsRunningAhead }
    return shortfalls + missed.map { "never reached: \($0.rawValue)" }
  }

  private func name(_ seed: UInt64, _ report: SimulationReport) {
    guard let violation = report.violation else { return }
    print(SimulationText.row(seed, request.actualWindow, violation))
  }

  // MARK: One seed

  private func runSeed(_ seed: UInt64) -> Bool {
    let report = report(request.options(seed))
    var totals = SimulationTotals()
    totals.add(report, seed: seed)
    let text = SimulationText(request, totals, [])
    if request.isJSON {
      print(text.json + "\n")
    } else if report.violation != nil {
      explain(seed, report)
      print(text.means + "\n")
    } else {
      print("seed \(seed), window \(request.actualWindow.word): nothing is broken\n")
      print(text.means + "\n")
      if request.trace != nil { writeTrace(of: seed, request.keep, report) }
    }
    return report.violation == nil
  }

  /// A summary: what is broken, the smallest case found, and where its trace is.
  private func explain(_ seed: UInt64, _ report: SimulationReport) {
    name(seed, report)
    var keep = request.keep
    var shown = report
    if request.shrinks, report.violation?.invariant != .tapChangesNothing {
      var shrinker = Shrinker(report, keep: keep) { keep in
        var options = request.options(seed)
        options.keep = keep
        return Simulator(options: options, application: request.application).run()
      }
      if let result = shrinker?.shrink(), let violation = result.report.violation {
        (keep, shown) = (result.keep, result.report)
        print(SimulationText.shrunk(result, violation))
      }
    }
    print("  again: \(request.commandLine(seed, keep))\n")
    writeTrace(of: seed, keep, shown)
  }

  private func writeTrace(of seed: UInt64, _ keep: SimulationCase, _ report: SimulationReport) {
    let path = request.trace ?? Self.tracePath(request.name, seed, request.actualWindow)
    guard let file = TextFile(path: path) else {
      print("  no trace: can't write \(path): \(String(cString: strerror(errno)))\n")
      return
    }
    file.write("seed \(seed), revision \(Revision.current)")
    file.write(request.commandLine(seed, keep))
    file.write(report.violation.map { "broken: \($0)" } ?? "nothing is broken")
    file.write("microseconds, what happens")
    var options = request.options(seed)
    options.keep = keep
    options.trace = { file.write($0) }
    _ = Simulator(options: options, application: request.application).run()
    print("  trace: \(path)\n")
  }

  private static func tracePath(
    _ name: String, _ seed: UInt64, _ window: WindowPolicy
  ) -> String {
    let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return "\(directory)/penstock-\(name)-seed-\(seed)-window-\(window.word).trace"
  }

  // MARK: Planted bugs

  /// - Returns: whether each was found.
  package func find(_ bugs: [PlantedBug]) -> Bool {
    TrapReport.install()
    let windows = request.window.map { [$0] } ?? [.fixed(7), .adaptive(bound: 1_024)]
    let count = request.count ?? 50
    let search = PlantedBugSearch(
      application: request.application, windows: windows,
      seeds: request.first...(request.first + 20 * count - 1), counted: count)
    var missing = 0
    for bug in bugs {
      let result = search.run(bug)
      if result.shown == 0 { missing += 1 }
      print(
        request.isJSON
          ? SimulationText.json(result, bug: bug.name) + "\n"
          : SimulationText.row(result, bug: bug.name))
    }
    if !request.isJSON { print("\(bugs.count - missing) of \(bugs.count) found\n") }
    return missing == 0
  }
}
