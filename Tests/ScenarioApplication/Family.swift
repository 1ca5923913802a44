import Penstock

/// Two fixed members, one that comes and goes and has a pet, and a row of them.
@Reducer
struct Family {
  struct State {
    var first = Member.State()
    var second = Member.State()
    var guest: Member.State?
    var rows: IdentifiedArrayOf<Member.State> = []
    var seen: [String] = []
  }

  enum Action {
    case first(Member.Action)
    case second(Member.Action)
    case guest(Member.Action)
    case rows(IdentifiedAction<Int, Member.Action>)
    case invite(Int), inviteWithPet, dismiss
    case fill([Int]), remove(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .first: state.seen.append("first \(state.first.count)")
      case .second: state.seen.append("second \(state.second.count)")
      case .guest(.increment):
        state.seen.append("guest \(state.guest?.count.description ?? "nil")")
      case .rows(.element(let id, .write)): state.seen.append("row \(id)")
      case .guest, .rows: break
      case .invite(let id): state.guest = Member.State(id: id)
      case .inviteWithPet: state.guest = Member.State(pet: Pet.State())
      case .dismiss: state.guest = nil
      case .fill(let ids):
        state.rows = []
        for id in ids { state.rows.append(Member.State(id: id)) }
      case .remove(let id): state.rows.remove(id: id)
      }
      return .none
    }
    .ifLet(\.guest, action: \.guest) { Member() }
    .forEach(\.rows, action: \.rows) { Member() }
    Scope(state: \.first, action: \.first) { Member() }
    Scope(state: \.second, action: \.second) { Member() }
  }
}

@Reducer
struct Member {
  struct State: Identifiable {
    var id = 0
    var count = 0
    var text = ""
    var pet: Pet.State?
  }

  enum Action {
    case increment, decrement, write(String)
    case startTimer, tick
    case ask, answered(Outcome<String>)
    case pet(Pet.Action)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment, .tick:
        state.count += 1
        return .none
      case .decrement:
        state.count -= 1
        return state.count < 0 ? .send(.increment) : .none
      case .write(let text):
        state.text = text
        return text.isEmpty ? .send(.write("Empty")) : .none
      case .startTimer: return .every(.seconds(1), .tick)
      case .ask: return .run(Question(number: state.id), to: \.answered)
      case .answered(.success(let text)):
        state.text = text
        state.count = state.id
        return .none
      case .answered(.failure), .pet: return .none
      }
    }
    .ifLet(\.pet, action: \.pet) { Pet() }
  }
}

@Reducer
struct Pet {
  struct State { var count = 0 }
  enum Action { case startTimer, tick }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .startTimer: return .every(.seconds(1), .tick)
      case .tick:
        state.count += 1
        return .none
      }
    }
  }
}
