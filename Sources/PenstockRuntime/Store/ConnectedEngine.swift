import Penstock
import PenstockCore
import Processes
import Synchronization
import Wire

/// The engine of a connected store: a mirror of the root's state, and a session for its actions.
///
/// The connection's thread and one task that reads states come in; whoever waits is in the mirror.
final class ConnectedEngine<State: JSONCodable>: StoreEngine {
  private struct Mirror {
    /// nil before the first one came.
    var state: State?
    var bytes: Bytes = []
    /// Everything up to this sequence is in the state.
    var asOf: UInt64 = 0
    var observers = StoreObservers<State>()
    var waiting: [(sequence: UInt64, promise: Promise<Void>)] = []
    var diagnostics: [String] = []
    var end: StoreError?
  }

  private let connection: ClientConnection
  private let mirror = Mutex(Mirror())

  init(_ connection: ClientConnection) {
    self.connection = connection
    let states = connection.states(of: .root)
    Task { [weak self] in
      do {
        for try await cut in states { self?.take(cut) }
      } catch let ended as ClientConnection.Ended {
        self?.end(StoreError(ended))
      } catch {
        self?.end(StoreError(.closed, "\(error)"))
      }
    }
  }

  // MARK: The store's side

  var state: State {
    guard let state = mirror.withLock(\.state) else {
      preconditionFailure("A connected store begins with a state")
    }
    return state
  }

  var diagnostics: [String] { mirror.withLock(\.diagnostics) }

  func effectsInFlight() async throws -> Int { try await pending(nil).effects }

  func send(_ path: Path, _ payload: Bytes, setting field: String?) -> StoreTask {
    let outcome = Promise<UInt64>()
    if StoreNotification.isRunning { note(StoreNotification.reentrancy(path)) }
    if let end = mirror.withLock(\.end) {
      // It is not even sent.
      outcome.fulfil(.failure(end))
      return task(outcome)
    }
    connection.submit([ClientConnection.Action(path: path, payload: payload, field: field)]) {
      [weak self] _, result in
      do throws(StoreError) {
        let (sequence, isUnmounted) = try ConnectedEngine.read(result, path)
        if isUnmounted { self?.note(ConnectedEngine.unmounted(sequence, path)) }
        outcome.fulfil(.success(sequence))
      } catch {
        self?.note("\(error)")
        outcome.fulfil(.failure(error))
      }
    }
    return task(outcome)
  }

  /// What a task waits for needs the connection, so the task keeps it.
  private func task(_ outcome: Promise<UInt64>) -> StoreTask {
    StoreTask(
      committed: { try await self.reached(outcome) },
      finish: {
        let sequence = try await outcome.value()
        try await self.settle(sequence)
      },
      cancel: { extent in
        Task {
          guard let sequence = try? await outcome.value() else { return }
          do {
            try await self.cancel(sequence, extent)
          } catch {
            self.note("the effects of \(sequence) could not be cancelled: \(error)")
          }
        }
      })
  }

  /// What is under way may start more: the tree is cancelled until nothing of it is left.
  private func cancel(_ sequence: UInt64, _ extent: StoreTask.Extent) async throws {
    switch extent {
    case .own: _ = try await ask("cancel", "{\"seq\":\(sequence)}")
    case .tree:
      var pause = 5
      while true {
        _ = try await ask("cancel", "{\"corr\":\(sequence)}")
        let left = try await pending(sequence)
        if left.effects == 0, left.records == 0 { return }
        try await Task.sleep(for: .milliseconds(pause))
        pause = min(pause * 2, 200)
      }
    }
  }

  /// The number of a committed action, when the state here has it.
  private func reached(_ outcome: Promise<UInt64>) async throws -> UInt64 {
    let sequence = try await outcome.value()
    do {
      try await reach(sequence)
    } catch is StoreError {
      // It is committed, though the connection ended before the state came.
    }
    return sequence
  }

  func observe(_ body: @escaping @Sendable (Result<State, StoreError>) -> Void) -> UInt64 {
    let id = mirror.withLock { mirror in
      if let end = mirror.end { return mirror.observers.add(body, current: .failure(end)) }
      guard let state = mirror.state else {
        preconditionFailure("A connected store begins with a state")
      }
      return mirror.observers.add(body, current: .success(state))
    }
    tell()
    return id
  }

  func stopObserving(_ id: UInt64) { mirror.withLock { $0.observers.remove(id) } }

  func settle() async throws { try await settle(nil) }

  /// Asks until nothing is left of one action, or of all: the wire does not tell it by itself.
  private func settle(_ correlation: UInt64?) async throws {
    var pause = 5
    while true {
      let pending = try await pending(correlation)
      if pending.effects == 0, pending.records == 0 { return try await reach(pending.sequence) }
      try await Task.sleep(for: .milliseconds(pause))
      pause = min(pause * 2, 200)
    }
  }

  /// Returns when the state here has everything up to the sequence.
  func reach(_ sequence: UInt64) async throws {
    let promise = Promise<Void>()
    mirror.withLock { mirror in
      if let end = mirror.end {
        promise.fulfil(.failure(end))
      } else if mirror.state != nil, mirror.asOf >= sequence {
        promise.fulfil(.success(()))
      } else {
        mirror.waiting.append((sequence, promise))
      }
    }
    try await promise.value()
  }

  // MARK: The router's side

  private func take(_ cut: ClientConnection.State) {
    guard let bytes = cut.value else { return }
    let isNew = mirror.withLock { $0.state == nil || $0.bytes != bytes }
    do {
      let state: State? = isNew ? try JSONReader.decode(from: bytes) : nil
      let reached = mirror.withLock { mirror in
        mirror.asOf = cut.asOf
        if let state {
          mirror.state = state
          mirror.bytes = bytes
          mirror.observers.append(.success(state))
        }
        let reached = mirror.waiting.filter { $0.sequence <= cut.asOf }
        mirror.waiting.removeAll { $0.sequence <= cut.asOf }
        return reached
      }
      tell()
      for (_, promise) in reached { promise.fulfil(.success(())) }
    } catch {
      end(
        StoreError(
          .schemaMismatch, "the system's state can't be read as a \(State.self): \(error)"))
    }
  }

  /// Nothing more comes; only the first end counts.
  func end(_ error: StoreError) {
    let waiting = mirror.withLock { mirror in
      guard mirror.end == nil else { return mirror.waiting }
      mirror.end = error
      if mirror.state != nil { mirror.observers.append(.failure(error)) }
      defer { mirror.waiting = [] }
      return mirror.waiting
    }
    tell()
    for (_, promise) in waiting { promise.fulfil(.failure(error)) }
  }

  private func tell() {
    while let (event, bodies) = mirror.withLock({ $0.observers.next() }) {
      StoreNotification.$isRunning.withValue(true) {
        for body in bodies { body(event) }
      }
      mirror.withLock { $0.observers.told() }
    }
  }

  func note(_ sentence: String) {
    mirror.withLock { mirror in
      mirror.diagnostics.append(sentence)
      if mirror.diagnostics.count > 1_000 { mirror.diagnostics.removeFirst() }
    }
  }

  private static func read(
    _ result: Result<ClientOutcome, ClientConnection.Ended>, _ path: Path
  ) throws(StoreError) -> (sequence: UInt64, isUnmounted: Bool) {
    switch result {
    case .success(let outcome):
      switch outcome.status {
      case .committed(let sequence, let isUnmounted): return (sequence, isUnmounted)
      case .void(let sequence, let reason): throw StoreError(void: reason, sequence, path)
      case .refused(let refusal):
        let error = StoreError(refusal)
        throw StoreError(error.code, "the action at \(path) was refused: \(error.message)")
      }
    case .failure(let ended):
      throw StoreError(
        .unknown,
        "whether the action at \(path) was applied is not known: \(StoreError(ended).message)")
    }
  }

  private static func unmounted(_ sequence: UInt64, _ path: Path) -> String {
    """
    Action \(sequence) came to \(path) while nothing was mounted there. Only the mounted parents saw \
    it. Either a parent removed the feature before, or the action was sent too early: send it after \
    the state was set.
    """
  }

  // MARK: Questions

  private struct Pending {
    var effects = 0
    var records = 0
    var sequence: UInt64 = 0
  }

  private func pending(_ correlation: UInt64?) async throws -> Pending {
    let body = try await ask("pending", correlation.map { "{\"corr\":\($0)}" } ?? "{}")
    var pending = Pending()
    var reader = JSONReader(body)
    try reader.beginObject()
    while try reader.nextMember() {
      switch try reader.keyText() {
      case "effects": pending.effects = try reader.readInteger()
      case "records": pending.records = try reader.readInteger()
      case "sequence": pending.sequence = try reader.readInteger()
      default: try reader.skipValue()
      }
    }
    return pending
  }

  /// Asks until the router is able to answer.
  private func ask(_ verb: String, _ body: String) async throws -> Bytes {
    do {
      while true {
        let reply = try await connection.request(verb, Bytes(body.utf8))
        if reply.status == 0 { return reply.body }
        let code = ErrorCode(rawValue: reply.status)
        guard code == .unavailable else {
          throw StoreError(
            .refused,
            "the router answered \(verb) with \(code?.word ?? "\(reply.status)"): "
              + String(decoding: reply.body, as: UTF8.self))
        }
        try await Task.sleep(for: .milliseconds(20))
      }
    } catch let ended as ClientConnection.Ended {
      throw StoreError(ended)
    }
  }
}
