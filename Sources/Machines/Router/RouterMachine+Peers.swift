import PenstockCore
import Wire

extension RouterMachine {
  /// A link says hello once. Who was refused is not heard again: the rest of what it sent in the same
  /// burst may have arrived before its link ends, and nobody would report a later end.
  mutating func joined(_ peer: PeerID, _ hello: Hello) {
    guard !refused.contains(peer) else { return }
    guard peers[peer] == nil else {
      ended(peer, "lost")
      return refuse(peer, .malformed, "hello is the first message of a link and comes once")
    }
    guard checkApplication(peer, hello) else { return }
    switch hello.role {
    case .client:
      guard hello.schemaHash == 0 || checkSchema(peer, hello) else { return }
      clientJoined(peer, hello)
    case .feature:
      featureJoined(peer, hello)
    case .worker:
      guard checkSchema(peer, hello) else { return }
      peers[peer] = .worker
      send(peer, welcome)
      scheduler.workerJoined(peer, hello, at: clock)
    }
    if peers[peer] != nil {
      hellos[peer] = hello
      tapProcess(peer, "up")
    }
  }

  private var welcome: Message {
    .welcome(
      Welcome(
        application: application, start: start, nextClientSequence: 0,
        isDurable: configuration.isDurable))
  }

  private mutating func checkApplication(_ peer: PeerID, _ hello: Hello) -> Bool {
    if isOfApplication(hello) { return true }
    refuse(
      peer, .wrongApplication,
      "this router runs \(application), the process is of \(hello.application)")
    return false
  }

  private func isOfApplication(_ hello: Hello) -> Bool {
    application.isEmpty || hello.application.isEmpty || hello.application == application
  }

  /// Clients and workers that came before the application was known may be of another one.
  private mutating func checkEarly() {
    for (peer, hello) in hellos.sorted(by: { $0.key < $1.key }) where hello.role != .feature {
      // What it runs is somebody else's to run.
      if hello.role == .worker, hello.schemaHash != schemaHash || !isOfApplication(hello) {
        ended(peer, "lost")
      }
      guard checkApplication(peer, hello), hello.role == .worker || hello.schemaHash != 0 else {
        continue
      }
      _ = checkSchema(peer, hello)
    }
  }

  /// The first description decides; a process whose own differs is refused with both hashes.
  private mutating func checkSchema(_ peer: PeerID, _ hello: Hello) -> Bool {
    if let schemaHash, hello.schemaHash != schemaHash {
      refuse(
        peer, .schemaMismatch,
        "the process has schema \(String(hello.schemaHash, radix: 16)), the system runs "
          + "\(String(schemaHash, radix: 16)): start all processes from one build")
      return false
    }
    return true
  }

  private mutating func featureJoined(_ peer: PeerID, _ hello: Hello) {
    guard checkSchema(peer, hello) else { return }
    if sequencer == nil {
      guard checkJournal(peer, hello) else { return }
      do {
        try learn(hello)
      } catch {
        refuse(peer, .malformed, error.description)
        return
      }
    }
    guard let path = Path(hello.name), let node = sequencer!.topology.index(of: path) else {
      refuse(
        peer, .unknownPath, "\(hello.name) is not one of the placed scopes: \(placedPaths)")
      return
    }
    guard acceptBuild(peer, hello, node: node) else { return }
    peers[peer] = .feature(node: node)
    send(peer, welcome)
    if hasState {
      sequencer!.joined(node, peer)
    } else {
      waitingFeatures[node] = peer
      if node == 0, let recovery {
        send(peer, .migrateState(recovery.checkpoint.state, from: recovery.checkpoint.description))
      } else if node == 0 {
        send(
          peer,
          .makeInitialState(
            now: sequencer!.now, seed: Sequencer.seed(configuration.sequencer.seed, 0)))
      }
    }
  }

  private var placedPaths: String {
    sequencer!.topology.nodes.map(\.path.description).joined(separator: " ")
  }

  /// The application's shape is known: the sequencer begins, from the journal if there is one.
  private mutating func learn(_ hello: Hello) throws(PlacementError) {
    let description: ApplicationDescription
    do throws(JSONError) {
      description = try JSONReader.decode(ApplicationDescription.self, from: hello.description)
    } catch {
      throw PlacementError("the description can't be read: \(error.description)")
    }
    let topology = try Topology(description: description, placement: configuration.placement)
    var made = Sequencer(
      topology: topology, configuration: configuration.sequencer, start: start)
    made.advance(to: clock)
    schemaHash = hello.schemaHash
    var shape = description
    shape.build = 0
    self.shape = JSONWriter.bytes(of: shape)
    if application.isEmpty { application = hello.application }
    sequencer = made
    if let recovery, recovery.checkpoint.schemaHash == hello.schemaHash {
      restore(recovery.checkpoint, recovery.entries)
    }
    sequencer!.wantsPatches = tapWantsPatches
    checkEarly()
  }

  /// Goes on where the journal ends.
  mutating func restore(_ checkpoint: Checkpoint, _ entries: [JournalEntry]) {
    sequencer!.restore(
      checkpoint.part,
      states: sequencer!.topology.nodes.map {
        JSONScan.state(at: $0.statePath, in: checkpoint.state)
      }, entries: entries)
    document = try? JSONDocument(checkpoint.state)
    hasState = true
    recovery = nil
  }

  /// Record 0: the root's initial state, made once, with a checkpoint at 0.
  mutating func begin(_ peer: PeerID, _ state: Bytes, _ mounts: [MountChange]) {
    guard !hasState, sequencer != nil else { return }
    if let recovery { return migrated(recovery, peer, state, mounts) }
    let whole: JSONDocument
    do throws(JSONError) {
      whole = try JSONDocument(state)
    } catch {
      ended(peer, "lost")
      return refuse(peer, .malformed, "the initial state can't be: \(error.description)")
    }
    let part = RouterPart(initialMounts: mounts, now: sequencer!.now)
    let record = OrderRecord(
      sequence: 0, path: .root, payload: state, now: part.now,
      seed: Sequencer.seed(configuration.sequencer.seed, 0), origin: .initial, correlation: 0)
    let checkpoint = Checkpoint(
      schemaHash: schemaHash ?? 0, part: part, state: state, sessions: [:],
      quarantine: Quarantine(), description: shape)
    do {
      sequencer!.append(.record(record))
      sequencer!.append(.checkpoint(sequence: 0, body: try checkpoint.encode()))
    } catch {
      outputs.append(.stop("the initial state can't be journaled: \(error.description)"))
      return
    }
    sequencer!.restore(
      part,
      states: sequencer!.topology.nodes.map { JSONScan.state(at: $0.statePath, in: state) },
      entries: [])
    document = whole
    hasState = true
    joinWaiting()
  }

  /// Features that came before there was a state.
  mutating func joinWaiting() {
    for (node, peer) in waitingFeatures.sorted(by: { $0.key < $1.key }) {
      sequencer!.joined(node, peer)
    }
    waitingFeatures = [:]
  }
}
