import PenstockCore
import Wire

/// Which build reduced what: other code may reduce the same records to another state.
extension RouterMachine {
  /// Refuses a process whose build is not the one that reduced what it would have to reduce again
  /// (J-11), or notes its build.
  mutating func acceptBuild(_ peer: PeerID, _ hello: Hello, node: Int) -> Bool {
    let build = Self.build(in: hello.description)
    // What is migrated first is looked at after that.
    guard build != 0, let sequencer, recovery == nil else { return true }
    let path = sequencer.topology.nodes[node].path
    let covered = builds.filter {
      path.contains($0.key) && sequencer.topology.owner(of: $0.key) == node
    }
    // A scope that was inside its parent's process until now was reduced there.
    let parent = builds.keys.filter { $0.contains(path) }.max {
      $0.components.count < $1.components.count
    }
    let known = Set(covered.values).union(parent.flatMap { builds[$0] }.map { [$0] } ?? [])
    if known.contains(where: { $0 != build }), hasState, sequencer.owesReplay(node),
      !configuration.replaysWithNewCode
    {
      refuse(peer, .buildMismatch, mismatch(path, known.subtracting([build]).min() ?? 0, build))
      return false
    }
    for scope in Set(covered.keys).union([path]).sorted() where builds[scope] != build {
      builds[scope] = build
      self.sequencer!.append(.build(sequence: sequencer.next - 1, path: scope, build: build))
    }
    return true
  }

  private func mismatch(_ path: Path, _ old: UInt64, _ new: UInt64) -> String {
    let count = (sequencer?.next ?? 1) - 1 - (sequencer?.checkpointedThrough ?? 0)
    let journal = configuration.journal.isEmpty ? "the journal" : configuration.journal
    return "the \(count) records after the last checkpoint were reduced by build "
      + "\(String(old, radix: 16)) of \(path), this process is of build \(String(new, radix: 16)): run the "
      + "old build once and stop it as planned, or give the router --replay-with-new-code; "
      + "`penstock verify APP \(journal)` says what would differ"
  }

  private static func build(in description: Bytes) -> UInt64 {
    guard let range = JSONScan.value(at: ["build"], in: description) else { return 0 }
    let text = description[range].dropFirst().dropLast()
    return UInt64(String(decoding: text, as: UTF8.self), radix: 16) ?? 0
  }
}
