/// An application as one value: its state, and where actions are sent.
///
/// `Store(App())` runs reducers, effects and timers in this process, first in, first out, and keeps
/// the order of all that happened, which `replay` takes apart again. `Store.connect(App())` of
/// `PenstockRuntime` has the same interface to a system of processes. What is written against a
/// store runs on both; two things differ:
///
/// - In one process an action and all it sent are reduced when `send` returns. A connected store
///   sends, and goes on: `try await store.send(action).committed()` waits.
/// - In one process nothing fails but what may not be sent (`@Internal`). A connection can end, and
///   then what waits throws `StoreError`.
public final class Store<App: PenstockApp>: Sendable {
  public typealias State = App.Root.State
  public typealias Action = App.Root.Action

  let application: Application<App>
  private let engine: any StoreEngine<State>

  package init(_ application: Application<App>, engine: any StoreEngine<State>) {
    self.application = application
    self.engine = engine
  }

  /// - Parameters:
  ///   - app: whose reducers and operations run, all in this process.
  ///   - clock: what time it is, and how to wait.
  ///   - dependencies: what operations reach through their context.
  ///   - seed: from which every record's draws come; equal seeds draw equally.
  ///   - checksPurity: whether everything is reduced twice, the second time on a decoded state.
  public convenience init(
    _ app: App, clock: StoreClock, dependencies: DependencyValues = DependencyValues(),
    seed: UInt64 = 0, checksPurity: Bool = false
  ) {
    let application = Application(app)
    self.init(
      application,
      engine: InProcessEngine(
        application, clock: clock, dependencies: dependencies, seed: seed,
        checksPurity: checksPurity))
  }

  /// The state after all that is known here: of a connected store the last one that was published.
  public var state: State { engine.state }

  /// Sentences about what was probably not meant: actions of absent children, lost failures, and
  /// what a router refused.
  public var diagnostics: [String] { engine.diagnostics }

  /// How many effects and timers are alive, in the whole system.
  public var effectsInFlight: Int { get async throws { try await engine.effectsInFlight() } }

  /// Sends an action; actions are reduced in the order in which they are sent.
  ///
  /// Of the bindings of one field, a connected store has one on its way: until that is acknowledged, a
  /// newer value replaces the queued one, as long as no other action was sent in between. The tasks of
  /// both then end with the newer one.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    let (path, payload) = application.address(action)
    if let found = application.internalCase(path, payload) { return refuse(path, found) }
    return engine.send(path, payload, setting: application.boundField(path, payload))
  }

  private func refuse(_ path: Path, _ found: InternalCase) -> StoreTask {
    let error = StoreError(.internalAction, "the action at \(path) was refused: \(found)")
    engine.note("\(error)")
    return StoreTask(
      committed: { throw error }, finish: { throw error }, cancel: { _ in })
  }

  /// Calls the body with the state now and after each change; once for all that follows from one
  /// send, and of a connected store at most once for each published state.
  public func observe(_ body: @escaping @Sendable (State) -> Void) {
    _ = engine.observe { event in
      if case .success(let state) = event { body(state) }
    }
  }

  /// The state now and after each change. Who reads slowly gets the newest, not all.
  ///
  /// It ends with an error when a connection ends; the store lives as long as somebody reads.
  public var states: AsyncThrowingStream<State, any Error> {
    let (stream, continuation) = AsyncThrowingStream<State, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let engine = engine
    let id = engine.observe { event in
      switch event {
      case .success(let state): continuation.yield(state)
      case .failure(let error): continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in engine.stopObserving(id) }
    return stream
  }

  /// Returns the first state, from now on, that fulfils the condition.
  @discardableResult
  public func wait(until condition: @escaping @Sendable (State) -> Bool) async throws -> State {
    let found = Promise<State>()
    let id = engine.observe { event in
      switch event {
      case .success(let state) where condition(state): found.fulfil(.success(state))
      case .success: break
      case .failure(let error): found.fulfil(.failure(error))
      }
    }
    defer { engine.stopObserving(id) }
    return try await found.value()
  }

  /// Returns when no effect and no timer is alive.
  public func settle() async throws { try await engine.settle() }

  /// The records so far, from the initial state on (R1); only of a store in one process, since a
  /// router keeps them in its journal.
  package var order: [OrderRecord] {
    guard let engine = engine as? InProcessEngine<App> else {
      preconditionFailure("A connected store has no order: it is in the journal of its router")
    }
    return engine.order
  }
}
