import Penstock

/// An application around a reducer that is measured.
struct BenchApp<Root: Reducer>: PenstockApp {
  static var name: String { "bench" }

  let root: Root
  private let makeState: @Sendable () -> Root.State
  var initialState: Root.State { makeState() }

  init(_ root: Root, _ state: @escaping @autoclosure @Sendable () -> Root.State) {
    self.root = root
    makeState = state
  }

  init() { preconditionFailure("A measured application is made of its root") }
}
