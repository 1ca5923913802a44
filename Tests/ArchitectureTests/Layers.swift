/// The layers, lowest first: what may be imported from where. A new target needs a place here.
struct Layer: Sendable {
  let name: String
  /// Target names; a leading `*` stands for any beginning.
  let targets: [String]
  /// Layers whose targets it may import, besides its own.
  let below: [String]
  /// Pure: no C library, no Foundation, no clock, no socket.
  let isPure: Bool

  func contains(_ target: String) -> Bool {
    targets.contains { $0.hasPrefix("*") ? target.hasSuffix($0.dropFirst()) : $0 == target }
  }

  static let all = [
    Layer(
      name: "C shims", targets: ["CZeroMQ", "CSystem", "CSQLite", "CCurl"], below: [],
      isPure: false),
    Layer(name: "values", targets: ["PenstockCore"], below: [], isPure: true),
    Layer(name: "macros", targets: ["PenstockMacros"], below: [], isPure: true),
    Layer(name: "library", targets: ["Penstock"], below: ["values", "macros"], isPure: true),
    Layer(
      name: "test store", targets: ["PenstockTesting"], below: ["values", "library"],
      isPure: true),
    Layer(name: "wire", targets: ["Wire"], below: ["values"], isPure: true),
    Layer(name: "machines", targets: ["Machines"], below: ["values", "wire"], isPure: true),
    Layer(name: "features", targets: ["*Feature"], below: ["library", "values"], isPure: true),
    Layer(
      name: "simulation", targets: ["Simulation", "SimulationApps"],
      below: ["values", "library", "wire", "machines", "features"], isPure: true),
    Layer(
      name: "shells",
      targets: [
        "Platform", "ZeroMQ", "SQLiteJournal", "Processes", "PenstockRuntime", "SimulationRunner",
      ],
      below: ["C shims", "values", "library", "wire", "machines", "simulation"], isPure: false),
    Layer(
      name: "process test store", targets: ["PenstockProcessTesting"],
      below: [
        "C shims", "values", "library", "test store", "wire", "machines", "shells",
      ], isPure: false),
    Layer(
      name: "example shells", targets: ["HTTP"],
      below: ["C shims", "values", "library", "features", "shells"], isPure: false),
    Layer(
      name: "command line", targets: ["Commands"],
      below: [
        "C shims", "values", "library", "wire", "machines", "simulation", "shells",
      ], isPure: false),
    Layer(
      name: "mains",
      targets: [
        "penstock", "penstock-router", "penstock-bench", "counter", "login", "meetings",
        "peripheral", "tictactoe", "todos", "uptime",
      ],
      below: [
        "C shims", "values", "library", "wire", "machines", "features", "simulation", "shells",
        "example shells", "command line",
      ], isPure: false),
  ]

  static func of(_ target: String) -> Layer? { all.first { $0.contains(target) } }

  /// What pure code imports of the toolchain; FoundationEssentials only in `Penstock` and in its
  /// test store.
  static func isAllowedInPureCode(_ module: String, in target: String) -> Bool {
    if target == "Penstock", module == "FoundationEssentials" { return true }
    if target == "PenstockTesting", ["FoundationEssentials", "Testing"].contains(module) {
      return true
    }
    if target == "PenstockMacros", module.hasPrefix("Swift") { return true }
    return ["Swift", "Synchronization"].contains(module)
  }

  /// Names that read a clock, draw randomly or look at the process.
  static let impureNames = [
    "ContinuousClock", "SuspendingClock", "Date()", "Date.now", "SystemRandomNumberGenerator",
    "clock_gettime", "getenv", "Task.sleep", "UUID()",
  ]
}
