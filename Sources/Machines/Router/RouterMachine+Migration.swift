import PenstockCore
import Wire

/// A journal whose states are of another schema: the root's process migrates them (J-14).
extension RouterMachine {
  /// Refuses a process that can't go on with what another schema wrote.
  mutating func checkJournal(_ peer: PeerID, _ hello: Hello) -> Bool {
    guard let recovery, recovery.checkpoint.schemaHash != hello.schemaHash else { return true }
    let journal = configuration.journal
    let written =
      "the journal\(journal.isEmpty ? "" : " \(journal)") was written with schema "
      + "\(String(recovery.checkpoint.schemaHash, radix: 16)), the process has "
      + "\(String(hello.schemaHash, radix: 16))"
    let tail = Sequencer.merged(recovery.entries, after: recovery.checkpoint.part.sequence).count
    if recovery.checkpoint.description.isEmpty {
      refuse(
        peer, .schemaMismatch,
        written + ": start the build that wrote it, move the file away, or name another with "
          + "--journal FILE")
      return false
    }
    if tail > 0, !configuration.replaysWithNewCode {
      refuse(
        peer, .schemaMismatch,
        written + ", and \(tail) records stand after the last checkpoint: run the build that wrote "
          + "them once and stop it as planned, or give the router --replay-with-new-code")
      return false
    }
    return true
  }

  /// The root's process made a state of this schema: the system goes on from there.
  mutating func migrated(
    _ recovery: Recovery, _ peer: PeerID, _ state: Bytes, _ mounts: [MountChange]
  ) {
    guard (try? JSONDocument(state)) != nil else {
      ended(peer, "lost")
      return refuse(peer, .malformed, "the migrated state is no JSON")
    }
    var checkpoint = recovery.checkpoint
    checkpoint.schemaHash = schemaHash ?? 0
    checkpoint.description = shape
    checkpoint.state = state
    checkpoint.part = migrated(checkpoint.part, mounts)
    do {
      let body = try checkpoint.encode()
      sequencer!.append(.checkpoint(sequence: checkpoint.part.sequence, body: body))
    } catch {
      outputs.append(.stop("the migrated state can't be journaled: \(error.description)"))
      return
    }
    restore(checkpoint, recovery.entries)
    for (node, peer) in waitingFeatures.sorted(by: { $0.key < $1.key }) {
      guard let hello = hellos[peer] else { continue }
      if !acceptBuild(peer, hello, node: node) { waitingFeatures[node] = nil }
    }
    joinWaiting()
  }

  /// Whoever was to migrate the state is gone: another build may come, of the old schema too.
  mutating func unlearnIfNotMigrated() {
    guard recovery != nil, waitingFeatures.isEmpty else { return }
    sequencer = nil
    schemaHash = nil
    shape = []
  }

  /// What is mounted as it was keeps its generation and its effects; those of anything else end.
  private func migrated(_ part: RouterPart, _ mounts: [MountChange]) -> RouterPart {
    var migrated = part
    migrated.mounts = [:]
    let taken = part.mounts.values.filter { $0.generation.sequence == part.sequence }
    var ordinal = (taken.map(\.generation.ordinal).max() ?? 0) + 1
    for change in mounts {
      guard let id = change.after else { continue }
      if let old = part.mounts[change.path], old.id == id {
        migrated.mounts[change.path] = old
      } else {
        migrated.mounts[change.path] = MountTable.Mount(
          id: id, generation: Generation(sequence: part.sequence, ordinal: ordinal))
        ordinal += 1
      }
    }
    let gone = part.mounts.keys.filter { migrated.mounts[$0] != part.mounts[$0] }
    migrated.living = part.living.filter { id, _ in
      sequencer?.topology.description.level(addressed: id.path) != nil
        && !gone.contains { $0.contains(id.path) }
    }
    return migrated
  }
}
