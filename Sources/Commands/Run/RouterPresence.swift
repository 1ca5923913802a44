import Platform
import Processes

/// Says when the router goes, and when one is there again, to somebody who follows what it publishes.
struct RouterPresence {
  private static let interval: Int64 = 1_000_000

  private let directory: RunDirectory
  private let output: Output
  private var isThere = true
  private var due: Int64 = 0

  /// The router is there now.
  init(_ directory: RunDirectory, _ output: Output) {
    self.directory = directory
    self.output = output
  }

  /// Looks at most once a second.
  mutating func look() {
    let now = SystemClock.monotonic
    guard now >= due else { return }
    due = now + Self.interval
    let wasThere = isThere
    if case .silent = RouterAbsence(in: directory) { isThere = true } else { isThere = false }
    if isThere == wasThere { return }
    output.remark(
      isThere
        ? "the router is there again\n"
        : "the router in \(directory.path) is gone; waiting for the next one · Ctrl-C stops\n")
  }

  /// The longest wait between two looks, in milliseconds.
  static var pollTime: Int { Int(interval / 1000) }
}
