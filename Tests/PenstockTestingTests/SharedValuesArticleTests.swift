import Penstock
import PenstockTesting
import Testing

/// The samples of the article on shared values, as they stand there.
struct SharedValuesArticleTests {
  @Test func `a reader alone`() async {
    let store = TestStore(initialState: Display.State()) { Display() }
    store.inputs.share(250, as: Settings.interval)
    store.inputs.share("ms", as: Settings.unit)
    await store.send(.refresh) { $0.text = "every 250 ms" }
  }

  @Test func `an owner alone`() async {
    let store = TestStore(initialState: Settings.State()) { Settings() }
    await store.send(.setInterval(7)) { $0.interval = 7 }
  }

  @Test func `a reader with its owner, whose value counts unless the test says another`() async {
    let store = TestStore(initialState: Screen.State()) { Screen() }
    await store.send(.display(.slower))
    await store.receive(\.settings.setInterval, 10) { $0.settings.interval = 10 }
    await store.send(.display(.refresh)) { $0.display.text = "every 10 ms" }
    store.inputs.share(3, as: Settings.interval)
    await store.send(.display(.refresh)) { $0.display.text = "every 3 ms" }
  }

  @Test func `what a reader was not told is a failure that says so`() async {
    let said = await texts {
      let store = TestStore(initialState: Display.State()) { Display() }
      store.inputs.share(250, as: Settings.interval)
      await store.send(.refresh)
    }
    #expect(
      said == [
        """
        .refresh: / reads /settings#unit, and what is tested has no such feature. Say what it \
        reads: store.inputs.share(VALUE, as: SHARED), before the action. Or test it together with \
        its owner.
        """
      ])
  }

  @Test func `the article has no other samples`() throws {
    let article = try Article("SharedValues.md")
    let sources = try Article.source(#filePath)
    for sample in article.samples {
      #expect(sources.contains(sample), "No test has this sample:\n\(sample)")
    }
    #expect(article.samples.count == 3)
  }
}

@Reducer
struct Settings {
  // swift-format-ignore
  struct State { var interval = 5; var unit = "ms" }
  enum Action { case setInterval(Int) }

  static let interval = SharedValue("/settings", \State.interval)
  static let unit = SharedValue("/settings", \State.unit)

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .setInterval(let interval):
        state.interval = interval
        return .none
      }
    }
  }
}

@Reducer
struct Display {
  struct State { var text = "" }
  enum Action { case refresh, slower }

  var body: some ReducerOf<Self> {
    Reduce(reading: Settings.interval, Settings.unit) { state, action, interval, unit in
      switch action {
      case .refresh:
        state.text = "every \(interval) \(unit)"
        return .none
      case .slower:
        // The parent hears this action, and sends `.setInterval` to the owner.
        return .none
      }
    }
  }
}

/// Owner and reader with their parent.
@Reducer
struct Screen {
  struct State {
    var settings = Settings.State()
    var display = Display.State()
  }

  enum Action {
    case settings(Settings.Action)
    case display(Display.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.settings, action: \.settings) { Settings() }
    Scope(state: \.display, action: \.display) { Display() }
    Reduce(observing: \.display.slower, reading: Settings.interval) { state, action, interval in
      if case .display(.slower) = action {
        return .send(.settings(.setInterval(interval * 2)))
      }
      return .none
    }
  }
}
