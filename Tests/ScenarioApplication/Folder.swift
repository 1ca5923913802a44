import Penstock

/// Contains itself.
@Reducer
struct Folder {
  struct State: Identifiable {
    var id = 0
    var name = ""
    /// Actions that it saw of the folders in it.
    var seen = 0
    var folders: IdentifiedArrayOf<Folder.State> = []
  }

  indirect enum Action {
    case add(Int), remove(Int), ask
    case answered(Outcome<String>)
    case folders(IdentifiedAction<Int, Folder.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let id): state.folders.append(Folder.State(id: id))
      case .remove(let id): state.folders.remove(id: id)
      case .ask: return .run(Question(number: state.id), to: \.answered)
      case .answered(.success(let text)): state.name = text
      case .answered(.failure): break
      case .folders: state.seen += 1
      }
      return .none
    }
    .forEach(\.folders, action: \.folders) { Folder() }
  }
}
