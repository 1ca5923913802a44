public import Penstock

/// One thing to do.
@Reducer
public struct Todo {
  @ObservableState
  public struct State: Identifiable {
    public var id: Int
    public var text = ""
    public var isDone = false
  }

  public enum Action {
    case binding(BindingAction<Todo.State>)
    case toggle
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    BindingReducer(action: \.binding)
    Reduce { state, action in
      if case .toggle = action { state.isDone.toggle() }
      return .none
    }
  }
}
