import FoundationEssentials
import Penstock

/// An editor that counts, ticks and can take itself away.
@Reducer
struct Editor {
  struct State: Identifiable {
    var id = 0
    var count = 0
    @Presents var note: Note.State?
  }

  enum Action {
    case increment, close, startTimer, tick, load, later, renumber(Int)
    case loaded(Outcome<String>)
    case addNote
    case note(PresentationAction<Note.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment, .tick:
        state.count += 1
        return .none
      case .close:
        state.count = -1
        return .dismiss
      case .startTimer: return .every(.seconds(1), .tick)
      case .load: return .run(Work(number: state.count), to: \.loaded)
      case .later:
        return .merge(.run(Work(number: 1), to: \.loaded), .send(.increment))
          .debounce(id: "later", for: .seconds(1))
      case .renumber(let id):
        state.id = id
        return .none
      case .addNote:
        state.note = Note.State()
        return .none
      case .loaded, .note: return .none
      }
    }
    .ifLet(\.$note, action: \.note) { Note() }
  }

  @Reducer
  struct Note {
    struct State { var text = "" }
    enum Action { case write(String), done }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .write(let text):
          state.text = text
          return .after(.seconds(1), .done)
        case .done: return .dismiss
        }
      }
    }
  }
}

/// What can be presented, one at a time.
@Reducer
enum Destination {
  case edit(Editor)
  case alert(AlertState<Alert>)

  @CasePathable
  enum Alert { case delete, again }
}

@Reducer
enum Screen {
  case list(Editor)
  case detail(Editor.Note)
}

/// Presents, pushes and pops.
@Reducer
struct Inventory {
  struct State {
    @Presents var destination: Destination.State?
    var path = StackState<Screen.State>()
    var last: Int?
    var isDeleted = false
    var seen: [String] = []
    var sheet: Editor.State?
  }

  enum Action {
    case edit(Int), ask, dismissAll, push, remove(Int), open(Int)
    case destination(PresentationAction<Destination.Action>)
    case path(StackAction<Screen.State, Screen.Action>)
    case sheet(PresentationAction<Editor.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .edit(let id):
        state.destination = .edit(Editor.State(id: id))
        return .none
      case .ask, .destination(.presented(.alert(.again))):
        state.destination = .alert(
          AlertState("Delete?", buttons: [.init("Delete", role: .destructive, action: .delete)]))
        return .none
      case .destination(.presented(.alert(.delete))):
        state.isDeleted = true
        return .none
      case .destination(.dismiss):
        if case .edit(let editor) = state.destination { state.last = editor.count }
        return .none
      case .dismissAll:
        state.destination = nil
        state.sheet = nil
        state.path.removeAll()
        return .none
      case .push:
        state.path.append(.list(Editor.State()))
        return .none
      case .remove(let id):
        state.path.pop(from: StackElementID(id))
        return .none
      case .open(let id):
        state.sheet = Editor.State(id: id)
        return .none
      case .path(.push(let id, _)):
        state.seen.append("push \(id) of \(state.path.count)")
        return .none
      case .path(.popFrom(let id)):
        state.seen.append("pop \(id) of \(state.path.count)")
        return .none
      case .sheet(.dismiss):
        state.last = state.sheet?.count
        return .none
      case .destination, .path, .sheet: return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
    .ifLet(\.sheet, action: \.sheet) { Editor() }
    .forEach(\.path, action: \.path)
  }
}
