package import Penstock

/// `/list`: a collection at `/list/rows`.
@Reducer
package struct RowList {
  package struct State {
    var rows: IdentifiedArrayOf<Row.State> = []
    var made = 0
    var loads = 0
  }

  package enum Action {
    case add, moveLast, clear, removeFirst
    case rows(IdentifiedAction<String, Row.Action>)
  }

  package var body: some ReducerOf<Self> {
    Reduce(observing: \.rows) { state, action in
      switch action {
      case .add:
        state.made += 1
        state.rows.insert(
          Row.State(id: "r/\(state.made % 7)"), at: state.made % (state.rows.count + 1))
        return .none
      case .moveLast:
        if state.rows.count > 1 { state.rows.move(from: state.rows.count - 1, to: 0) }
        return .none
      case .clear:
        state.rows.removeAll()
        return .none
      case .removeFirst:
        if !state.rows.isEmpty { state.rows.remove(at: 0) }
        return .none
      case .rows(.element(let id, .removeMe)):
        state.rows.remove(id: id)
        return .none
      case .rows(.element(let id, .loaded)):
        state.loads += 1
        return state.loads % 3 == 0
          ? .send(.rows(.element(id: id, action: .increment))) : .none
      case .rows: return .none
      }
    }
    .forEach(\.rows, action: \.rows) { Row() }
  }

  @Reducer
  package struct Row {
    package struct State: Identifiable {
      package let id: String
      var count = 0
      var text = ""
      var note: Note.State?
    }

    package enum Action {
      case increment, load(Int), loaded(Outcome<String>), watch, removeMe, toggleNote
      case note(Note.Action)
    }

    enum CancelID { case load }

    package var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .increment:
          state.count += 1
          return .none
        case .load(let number):
          return .run(Work(number: number), to: \.loaded)
            .cancellable(id: CancelID.load, cancelInFlight: true)
        case .loaded(.success(let text)):
          state.text = text
          return .none
        case .loaded(.failure(let failure)):
          state.text = failure.code
          return .none
        case .watch: return .every(.seconds(1), .increment)
        case .removeMe: return .none
        case .toggleNote:
          state.note = state.note == nil ? Note.State() : nil
          return .none
        case .note: return .none
        }
      }
      .ifLet(\.note, action: \.note) { Note() }
    }
  }

  @Reducer
  package struct Note {
    package struct State { var edits = 0 }
    package enum Action { case edit, autosave }

    package var body: some ReducerOf<Self> {
      Reduce { state, action in
        state.edits += 1
        return action == .edit ? .after(.milliseconds(400), .autosave) : .none
      }
    }
  }
}
