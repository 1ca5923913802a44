import Penstock

/// An application around the reducer under test.
struct TestedReducer<State: JSONCodable, Action: JSONCodable & CasePathable>: PenstockApp {
  static var name: String { "test" }

  let root: ComposedReducer<State, Action>
  let initialState: State

  init(root: ComposedReducer<State, Action>, initialState: State) {
    self.root = root
    self.initialState = initialState
  }

  init() { preconditionFailure("What is tested is made of a reducer and its first state") }
}
