import Machines
import SimulationRunner

extension Invocation {
  /// How far features run ahead of a parent that writes to them: a number, or adaptive.
  func window() throws(CommandFailure) -> WindowPolicy? {
    guard let text = value("window") else { return nil }
    guard let window = WindowPolicy(word: text) else {
      throw CommandFailure(
        .usage, "PS-A16", "--window takes a number from 1 to 100000 or adaptive, not \"\(text)\"")
    }
    return window
  }
}
