import CSystem
import Glibc
import Machines
import Platform
import Wire

/// Ends feature processes that the router gave up and that did not end by themselves: stuck in a
/// reducer, or stopped. Only then can their supervisor start them afresh (R2: fenced *and killed*).
///
/// A process id alone proves nothing, so a process is killed only while it holds the lock of its path.
struct FeatureWatch {
  /// A process that is told to go gets this long for it.
  private static let grace: Int64 = 500_000

  private struct Feature {
    var scope: String
    var processID: Int32
  }

  private let directory: RunDirectory
  private let log: Log
  private var features: [PeerID: Feature] = [:]
  private var doomed: [(feature: Feature, due: Int64)] = []

  init(directory: RunDirectory, log: Log) {
    self.directory = directory
    self.log = log
  }

  mutating func saw(_ hello: Hello, from peer: PeerID) {
    guard hello.role == .feature, let processID = Int32(exactly: hello.processID) else { return }
    features[peer] = Feature(scope: hello.name, processID: processID)
  }

  mutating func lost(_ peer: PeerID, isSilent: Bool, now: Int64) {
    guard let feature = features.removeValue(forKey: peer), isSilent else { return }
    doomed.append((feature, now))
  }

  mutating func disconnected(_ peer: PeerID, now: Int64) {
    guard let feature = features.removeValue(forKey: peer) else { return }
    doomed.append((feature, now + Self.grace))
  }

  mutating func endStuck(now: Int64) {
    guard !doomed.isEmpty else { return }
    for (feature, due) in doomed where due <= now { end(feature) }
    doomed.removeAll { $0.due <= now }
  }

  var nextDeadline: Int64? { doomed.map(\.due).min() }

  private func end(_ feature: Feature) {
    let path = directory.featureLock(feature.scope)
    guard FileLock.holder(of: path) == feature.processID, feature.processID != getpid() else {
      return
    }
    log.warning(
      "killing a feature that does not answer",
      ["path": feature.scope, "pid": "\(feature.processID)"])
    kill(feature.processID, SIGKILL)
  }
}
