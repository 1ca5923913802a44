package import Machines
package import Simulation

/// What somebody wants simulated, whichever command they typed.
package struct SimulationRequest: Sendable {
  package var application: any SimulatedApplication
  package var name: String
  /// The command with what it was given besides seed, window and case, for the line that runs a case
  /// again.
  package var command: String
  package var window: WindowPolicy?
  package var first: UInt64 = 1
  package var count: UInt64?
  /// Only this seed.
  package var seed: UInt64?
  package var keep = SimulationCase()
  package var hasFaults = true
  package var clientActions = 300
  package var shrinks = true
  /// Where traces go; nil is a directory of their own below the temporary one.
  package var trace: String?
  package var isJSON = false
  package var bug: PlantedBug?

  package init(application: any SimulatedApplication, name: String, command: String) {
    self.application = application
    self.name = name
    self.command = command
  }

  /// A run with fewer seeds may miss rare paths by chance.
  package static let leastForRarePaths: UInt64 = 1_000

  func options(_ seed: UInt64) -> SimulationOptions {
    var options = SimulationOptions(seed: seed, window: actualWindow)
    options.hasFaults = hasFaults
    options.clientActions = clientActions
    options.keep = keep
    if let bug { options.faults = bug.faults }
    return options
  }

  var actualWindow: WindowPolicy { window ?? .adaptive(bound: 1_024) }

  /// How a case is run again.
  func commandLine(_ seed: UInt64, _ keep: SimulationCase) -> String {
    var words = [command, "--seed \(seed)", "--window \(actualWindow.word)"]
    if !hasFaults { words.append("--no-faults") }
    if clientActions != 300 { words.append("--actions-per-seed \(clientActions)") }
    if let bug { words.append("--bug '\(bug.name)'") }
    if !keep.isEverything { words.append("--keep \(keep.text)") }
    return words.joined(separator: " ")
  }
}
