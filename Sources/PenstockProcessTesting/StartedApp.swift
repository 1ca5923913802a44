import Penstock

/// An application that begins as a test says.
struct StartedApp<App: PenstockApp>: PenstockApp {
  static var name: String { App.name }
  static var operations: [any WorkerOperation.Type] { App.operations }

  private let app: App
  private let state: App.Root.State?

  /// - Parameter state: nil for the application's own.
  init(_ app: App, _ state: App.Root.State?) {
    self.app = app
    self.state = state
  }

  init() { self.init(App(), nil) }

  var root: App.Root { app.root }
  var initialState: App.Root.State { state ?? app.initialState }
}
