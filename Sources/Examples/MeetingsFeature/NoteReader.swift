public import Penstock

/// Shows what was said.
@Reducer
public struct NoteReader {
  @ObservableState
  public struct State {
    public var note: Note
    public var query = ""

    public init(note: Note) { self.note = note }

    public var matches: [String] {
      query.isEmpty ? note.transcript : note.transcript.filter { $0.contains(query) }
    }
  }

  public enum Action {
    case search(String)
    case close
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .search(let query):
        state.query = query
        return .none
      case .close:
        return .dismiss
      }
    }
  }
}
