// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

/// The directory of the toolchain's own swift-syntax, found from the `swiftc` that is on the PATH.
let swiftSyntax: String = {
  for directory in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
    let compiler = URL(fileURLWithPath: "\(directory)/swiftc").resolvingSymlinksInPath()
    let host = compiler.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/host").path
    if FileManager.default.fileExists(atPath: host + "/SwiftSyntaxMacros.swiftmodule") {
      return host
    }
  }
  return "/usr/lib/swift/host"
}()

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Macros are built with the swift-syntax of the toolchain, so a clean build downloads nothing.
let macroSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .unsafeFlags(["-I", swiftSyntax]),
]
let macroLinkerSettings: [LinkerSetting] = [
  .unsafeFlags(
    ["-L", swiftSyntax, "-Xlinker", "-rpath", "-Xlinker", swiftSyntax]
      + [
        "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion",
        "SwiftDiagnostics", "SwiftParser", "SwiftBasicFormat",
        "SwiftCompilerPluginMessageHandling",
      ].map { "-l\($0)" })
]

func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Examples/\(name)",
    swiftSettings: strict)
}

func exampleMain(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Examples/\(name)",
    swiftSettings: strict)
}

let package = Package(
  name: "penstock",
  products: [
    .library(name: "Penstock", targets: ["Penstock", "PenstockRuntime"]),
    .library(name: "PenstockTesting", targets: ["PenstockTesting", "PenstockProcessTesting"]),
    .executable(name: "penstock", targets: ["penstock"]),
    .executable(name: "penstock-router", targets: ["penstock-router"]),
  ],
  targets: [
    // Values
    .target(name: "PenstockCore", swiftSettings: strict),
    // The reducer library
    .macro(
      name: "PenstockMacros", swiftSettings: macroSettings, linkerSettings: macroLinkerSettings),
    .target(
      name: "Penstock", dependencies: ["PenstockCore", "PenstockMacros"], swiftSettings: strict),
    .target(
      name: "PenstockTesting", dependencies: ["PenstockCore", "Penstock"], swiftSettings: strict),
    // Pure machines
    .target(name: "Wire", dependencies: ["PenstockCore"], swiftSettings: strict),
    .target(name: "Machines", dependencies: ["PenstockCore", "Wire"], swiftSettings: strict),
    // Simulation
    .target(
      name: "Simulation", dependencies: ["PenstockCore", "Wire", "Machines"],
      swiftSettings: strict),
    .target(
      name: "SimulationApps",
      dependencies: ["PenstockCore", "Penstock", "Simulation", "UptimeFeature"],
      swiftSettings: strict),
    // C
    .systemLibrary(name: "CZeroMQ"),
    .target(name: "CSystem"),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
    // Shells
    .target(name: "Platform", dependencies: ["CSystem"], swiftSettings: strict),
    .target(name: "ZeroMQ", dependencies: ["CZeroMQ", "CSystem"], swiftSettings: strict),
    .target(
      name: "SQLiteJournal", dependencies: ["CSQLite", "PenstockCore", "Machines", "Platform"],
      swiftSettings: strict),
    .target(
      name: "Processes",
      dependencies: [
        "CSystem", "PenstockCore", "Wire", "Machines", "Platform", "ZeroMQ", "SQLiteJournal",
      ], swiftSettings: strict),
    .target(
      name: "PenstockRuntime",
      dependencies: [
        "CSystem", "PenstockCore", "Penstock", "Wire", "Machines", "Platform", "ZeroMQ",
        "SQLiteJournal", "Processes", "Simulation", "SimulationRunner",
      ], swiftSettings: strict),
    .target(
      name: "SimulationRunner",
      dependencies: ["CSystem", "Machines", "PenstockCore", "Platform", "Simulation"],
      swiftSettings: strict),
    .target(
      name: "PenstockProcessTesting",
      dependencies: [
        "CSystem", "PenstockCore", "Penstock", "PenstockTesting", "Wire", "Machines", "Platform",
        "ZeroMQ", "SQLiteJournal", "Processes", "PenstockRuntime",
      ], swiftSettings: strict),
    .executableTarget(
      name: "penstock-router",
      dependencies: [
        "Machines", "PenstockCore", "Platform", "Processes", "SQLiteJournal", "ZeroMQ",
      ], swiftSettings: strict),
    // Examples
    example("HTTPFeature", ["Penstock"]),
    example("CounterFeature", ["Penstock", "HTTPFeature"]),
    example("UptimeFeature", ["Penstock", "HTTPFeature"]),
    example("HTTP", ["CCurl", "Penstock", "HTTPFeature"]),
    exampleMain(
      "counter",
      ["CounterFeature", "HTTPFeature", "HTTP", "Penstock", "PenstockRuntime"]),
    exampleMain("uptime", ["UptimeFeature", "HTTPFeature", "HTTP", "Penstock", "PenstockRuntime"]),
    example("LoginFeature", ["Penstock"]),
    example("TicTacToeFeature", ["LoginFeature", "Penstock"]),
    example("PeripheralFeature", ["Penstock"]),
    example("TodosFeature", ["Penstock"]),
    example("MeetingsFeature", ["Penstock"]),
    exampleMain("login", ["LoginFeature", "PenstockRuntime"]),
    exampleMain("tictactoe", ["TicTacToeFeature", "PenstockRuntime"]),
    exampleMain("peripheral", ["PeripheralFeature", "PenstockRuntime"]),
    exampleMain("todos", ["TodosFeature", "PenstockRuntime"]),
    exampleMain("meetings", ["MeetingsFeature", "PenstockRuntime"]),
    .executableTarget(
      name: "penstock-bench", dependencies: ["Platform", "Processes", "ZeroMQ"],
      swiftSettings: strict),
    // Command line
    .target(
      name: "Commands",
      dependencies: [
        "CSystem", "PenstockCore", "Wire", "Machines", "Platform", "ZeroMQ", "SQLiteJournal",
        "Processes", "Simulation", "SimulationApps", "SimulationRunner",
      ],
      swiftSettings: strict),
    .executableTarget(name: "penstock", dependencies: ["Commands"], swiftSettings: strict),
    // Support of tests
    .target(
      name: "ProcessSupport", dependencies: ["CSystem"], path: "Tests/ProcessSupport",
      swiftSettings: strict),
    .target(
      name: "WireTestSupport", dependencies: ["PenstockCore", "Simulation", "Wire"],
      path: "Tests/WireTestSupport", swiftSettings: strict),
    .target(
      name: "HarnessSupport",
      dependencies: ["Penstock", "PenstockProcessTesting", "PenstockTesting"],
      path: "Tests/HarnessSupport", swiftSettings: strict),
    .executableTarget(
      name: "library-bench", dependencies: ["Penstock", "PenstockCore"],
      path: "Tests/LibraryBench", swiftSettings: strict),
    .executableTarget(
      name: "pair", dependencies: ["Penstock", "PenstockRuntime"], path: "Tests/TallyApplication",
      swiftSettings: strict),
    .executableTarget(
      name: "pair-next", dependencies: ["Penstock", "PenstockRuntime"],
      path: "Tests/NextApplication", swiftSettings: strict),
    .executableTarget(
      name: "scenarios", dependencies: ["Penstock", "PenstockRuntime"],
      path: "Tests/ScenarioApplication", swiftSettings: strict),
    .executableTarget(
      name: "measured", dependencies: ["Penstock", "PenstockRuntime"],
      path: "Tests/MeasuredApplication", swiftSettings: strict),
    .executableTarget(
      name: "journal-writer", dependencies: ["SQLiteJournal", "Machines", "PenstockCore"],
      path: "Tests/JournalWriter", swiftSettings: strict),
    // Tests
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    .testTarget(
      name: "PenstockCoreTests", dependencies: ["PenstockCore", "Simulation"],
      swiftSettings: strict),
    .testTarget(
      name: "PenstockMacrosTests", dependencies: ["PenstockMacros"], swiftSettings: macroSettings,
      linkerSettings: macroLinkerSettings),
    .testTarget(
      name: "PenstockTests",
      dependencies: ["Penstock", "PenstockCore", "PenstockTesting", "Simulation"],
      swiftSettings: strict),
    .testTarget(
      name: "PenstockTestingTests", dependencies: ["Penstock", "PenstockTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "PenstockRuntimeTests",
      dependencies: [
        "CounterFeature", "UptimeFeature", "Penstock", "PenstockCore", "PenstockRuntime",
        "PenstockTesting",
      ], swiftSettings: strict),
    .testTarget(
      name: "PenstockProcessTestingTests",
      dependencies: [
        "CounterFeature", "UptimeFeature", "Penstock", "PenstockCore", "PenstockTesting",
        "PenstockProcessTesting", "Platform", "HarnessSupport", "counter", "scenarios", "uptime",
      ], swiftSettings: strict),
    .testTarget(
      name: "WireTests", dependencies: ["PenstockCore", "Simulation", "Wire", "WireTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MachinesTests",
      dependencies: ["Machines", "PenstockCore", "Simulation", "Wire", "WireTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Machines", "Penstock", "PenstockCore", "Simulation", "SimulationApps",
        "SimulationRunner",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlatformTests", dependencies: ["Platform", "ZeroMQ", "ProcessSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ZeroMQTests", dependencies: ["ZeroMQ", "CZeroMQ", "ProcessSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteJournalTests",
      dependencies: [
        "SQLiteJournal", "Machines", "PenstockCore", "Platform", "ProcessSupport",
        "journal-writer",
      ], swiftSettings: strict),
    .testTarget(
      name: "ProcessesTests",
      dependencies: [
        "Machines", "Penstock", "PenstockCore", "PenstockRuntime", "Platform", "Processes",
        "SQLiteJournal", "Wire", "ZeroMQ", "ProcessSupport", "pair", "pair-next", "penstock",
        "penstock-router", "scenarios",
      ], swiftSettings: strict),
    .testTarget(
      name: "CommandsTests", dependencies: ["Commands", "Machines", "PenstockCore", "Wire"],
      swiftSettings: strict),
    .testTarget(
      name: "CounterFeatureTests", dependencies: ["CounterFeature", "HTTPFeature", "Penstock"],
      swiftSettings: strict),
    .testTarget(
      name: "UptimeFeatureTests", dependencies: ["UptimeFeature", "HTTPFeature", "Penstock"],
      swiftSettings: strict),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "LoginFeature", "MeetingsFeature", "Penstock", "PenstockTesting", "PeripheralFeature",
        "TicTacToeFeature", "TodosFeature", "HarnessSupport", "login", "meetings", "peripheral",
        "tictactoe", "todos",
      ], swiftSettings: strict),
  ]
)

// Random compositions, where Deploy/test-compositions has written them.
if let path = Context.environment["PENSTOCK_COMPOSITIONS"] {
  package.targets.append(
    .executableTarget(
      name: "compositions", dependencies: ["Penstock", "PenstockRuntime"], path: path,
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-Onone"])]))
}
