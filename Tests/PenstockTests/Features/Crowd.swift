import Penstock

/// Starts effects that never end, under ids.
@Reducer
struct Crowd {
  struct State {}

  enum Action { case start(Int), stop(Int), ended(Int) }

  var body: some ReducerOf<Self> {
    Reduce { _, action in
      switch action {
      case .start(let id): .run(Never_(), to: \.ended).cancellable(id: id)
      case .stop(let id): .cancel(id: id)
      case .ended: .none
      }
    }
  }
}
