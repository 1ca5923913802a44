import Penstock

/// Presents, pushes and pops.
@Reducer
struct Screens {
  struct State {
    @Presents var sheet: Editor.State?
    @Presents var destination: Destination.State?
    var path = StackState<Screen.State>()
    var last: Int?
    var isDeleted = false
    var seen: [String] = []
  }

  enum Action {
    case open(Int), edit(Int), ask, dismissAll, push, remove(Int)
    case sheet(PresentationAction<Editor.Action>)
    case destination(PresentationAction<Destination.Action>)
    case path(StackAction<Screen.State, Screen.Action>)
  }

  static var alert: Destination.State {
    .alert(AlertState("Delete?", buttons: [.init("Delete", role: .destructive, action: .delete)]))
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open(let id): state.sheet = Editor.State(id: id)
      case .edit(let id): state.destination = .edit(Editor.State(id: id))
      case .ask, .destination(.presented(.alert(.again))): state.destination = Self.alert
      case .destination(.presented(.alert(.delete))): state.isDeleted = true
      case .dismissAll:
        state.sheet = nil
        state.destination = nil
        state.path.removeAll()
      case .push: state.path.append(.list(Editor.State()))
      case .remove(let id): state.path.pop(from: StackElementID(id))
      case .path(.push(let id, _)): state.seen.append("push \(id) of \(state.path.count)")
      case .path(.popFrom(let id)): state.seen.append("pop \(id) of \(state.path.count)")
      case .path(.element(let id, _)): state.seen.append("element \(id)")
      case .sheet(.dismiss):
        state.last = state.sheet?.count
        state.seen.append("dismiss")
      case .sheet(.presented(.increment)): state.seen.append("increment")
      case .destination(.presented(.edit(.increment))): state.seen.append("edit")
      case .sheet, .destination: break
      }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { Editor() }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
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
  case detail(Note)
}

/// Counts, ticks, asks, and can take itself away.
@Reducer
struct Editor {
  struct State: Identifiable {
    var id = 0
    var count = 0
    @Presents var note: Note.State?
  }

  enum Action {
    case increment, close, startTimer, tick, ask, renumber(Int), addNote
    case answered(Outcome<String>)
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
      case .ask: return .run(Question(number: state.id), to: \.answered)
      case .renumber(let id):
        state.id = id
        return .none
      case .addNote:
        state.note = Note.State()
        return .none
      case .answered, .note: return .none
      }
    }
    .ifLet(\.$note, action: \.note) { Note() }
  }
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
        return .none
      case .done: return .dismiss
      }
    }
  }
}
