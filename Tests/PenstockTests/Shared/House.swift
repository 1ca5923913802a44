import Penstock

/// `/`: hands on to the owner what readers want written, and resets the owner now and then.
@Reducer
struct House {
  struct State {
    var heating = Heating.State()
    var panel = Panel.State()
    var rooms: IdentifiedArrayOf<Panel.State> = []
    var seen: [Int] = []
  }

  enum Action {
    case heating(Heating.Action)
    case panel(Panel.Action)
    case rooms(IdentifiedAction<Int, Panel.Action>)
    case addRoom(Int), reset
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.heating, action: \.heating) { Heating() }
    Scope(state: \.panel, action: \.panel) { Panel() }
    Reduce(reading: Heating.target) { state, action, target in
      // In the owner's own record it is what it was before.
      state.seen.append(target)
      if state.seen.count > 4 { state.seen.removeFirst() }
      switch action {
      case .panel(.warmer(let degrees)): return .send(.heating(.set(target + degrees)))
      case .rooms(.element(_, .warmer)): return .send(.heating(.set(target + 1)))
      case .addRoom(let id):
        if state.rooms[id: id] == nil { state.rooms.append(Panel.State(id: id)) }
        return .none
      case .reset:
        state.heating.target = 15
        state.heating.mode = "reset at \(target)"
        return .none
      case .heating, .panel, .rooms: return .none
      }
    }
    .forEach(\.rooms, action: \.rooms) { Panel() }
  }
}

/// Owns what others read.
@Reducer
struct Heating {
  struct State {
    var target = 20
    var mode: String?
    var log = Log.State()
  }

  enum Action {
    case set(Int), name(String?)
    case log(Log.Action)
  }

  static let target = SharedValue("/heating", \State.target)
  static let mode = SharedValue("/heating", \State.mode)

  var body: some ReducerOf<Self> {
    Scope(state: \.log, action: \.log) { Log() }
    Reduce { state, action in
      switch action {
      case .set(let target): state.target = target
      case .name(let mode): state.mode = mode
      case .log: break
      }
      return .none
    }
  }
}

/// Reads its parent.
@Reducer
struct Log {
  struct State { var lines: [String] = [] }
  enum Action { case write }

  var body: some ReducerOf<Self> {
    Reduce(reading: Heating.target, Heating.mode) { state, _, target, mode in
      state.lines = ["\(target) \(mode ?? "-")"]
      return .none
    }
  }
}

/// Reads what it is not above or below of.
@Reducer
struct Panel {
  struct State: Identifiable {
    var id = 0
    var shown = ""
    var changes = 0
  }

  enum Action { case refresh, warmer(Int) }

  var body: some ReducerOf<Self> {
    Reduce(observing: \.refresh, reading: Heating.target, Heating.mode) {
      state, action, target, mode in
      let text = "\(target) \(mode ?? "-")"
      if text != state.shown { state.changes += 1 }
      state.shown = text
      return .none
    }
  }
}

struct HouseApp: PenstockApp {
  static let name = "house"
  var root: House { House() }
  var initialState: House.State { House.State() }
}

extension TestApplication {
  static let house: TestApplication = {
    let program = Application(HouseApp())
    func paths(_ texts: String...) -> [Path] { texts.compactMap { Path($0) } }
    return TestApplication(
      program: program,
      placements: [
        paths("/"), paths("/", "/heating"), paths("/", "/panel"), paths("/", "/heating/log"),
        paths("/", "/heating", "/panel"), paths("/", "/heating", "/heating/log", "/panel"),
      ],
      makeAction: { seed in
        let number = Int(seed >> 8 & 7)
        let action: House.Action =
          switch seed & 7 {
          case 0: .heating(.set(number))
          case 1: .heating(.name(number == 0 ? nil : "mode \(number)"))
          case 2: .heating(.log(.write))
          case 3: .panel(.refresh)
          case 4: number == 0 ? .reset : .panel(.warmer(number))
          case 5: .addRoom(number)
          case 6: .rooms(.element(id: number, action: .refresh))
          default: .rooms(.element(id: number, action: .warmer(1)))
          }
        return program.address(action)
      },
      results: { _, _ in OperationResult(outputs: []) })
  }()
}
