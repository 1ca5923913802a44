import Glibc
public import Penstock
import PenstockCore
import Processes

extension Store {
  /// A store of a system that runs as processes: the same interface over IPC.
  ///
  /// ```swift
  /// let store = try await Store.connect(Uptime())
  /// try await store.send(.settings(.interval(2_000))).committed()
  /// for try await state in store.states { show(state) }
  /// ```
  ///
  /// `state` follows the router: each one is a consistent cut, the newest some milliseconds old. When
  /// the router goes away the store connects anew by itself, sends again what has no outcome (it is
  /// applied once), and goes on with the states. The connection ends with the last reference to the
  /// store, its tasks and its states.
  ///
  /// - Parameters:
  ///   - app: the application whose actions and states these are; its reducers do not run here.
  ///   - address: a run directory, or an endpoint such as `ipc:///run/me/router.sock`; by default the
  ///     directory where `Deploy/supervisor` starts this application.
  ///   - timeout: how long to wait for a system that is just starting.
  /// - Throws: `StoreError` when no system answers in time, or its application or build is another.
  public static func connect(
    _ app: App = App(), to address: String? = nil, timeout: Duration = .seconds(5)
  ) async throws -> Store<App> {
    let place = try StoreAddress(address, application: App.name)
    try place.check()
    let application = Application(app)
    let connection = ClientConnection(
      endpoint: place.endpoint, name: "store-\(getpid())", application: App.name,
      schemaHash: application.description.schemaHash)
    let engine = ConnectedEngine<State>(connection)
    let patience = Task {
      try await Task.sleep(for: timeout)
      engine.end(await connection.isWelcome ? notReady(place) : place.silence)
    }
    defer { patience.cancel() }
    try await engine.reach(0)
    return Store(application, engine: engine)
  }

  private static func notReady(_ place: StoreAddress) -> StoreError {
    StoreError(
      .notReady,
      """
      the router at \(place.endpoint) has no state of \(App.name) yet: features are missing; \
      "penstock ready" says which
      """)
  }
}
