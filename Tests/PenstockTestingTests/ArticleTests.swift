import Penstock
import PenstockTesting
import Testing

/// The samples of the article on testing, as they stand there.
struct ArticleTests {
  @Test func `saying what happens`() async {
    let store = TestStore(initialState: Fact.State(number: 7)) { Fact() }
    await store.send(.askTapped) { $0.isLoading = true }
    await store.receive(effect: NumberFact(number: 7), answer: .output("7 is prime"))
    await store.receive(\.response.success, "7 is prime") {
      $0.isLoading = false
      $0.fact = "7 is prime"
    }
  }

  @Test func `answering later`() async {
    let store = TestStore(initialState: Fact.State()) { Fact() }
    await store.send(.askTapped) { $0.isLoading = true }
    let question = await store.receive(effect: NumberFact(number: 0))
    await question.answer(.failure(Failure(code: "offline", message: "no line")))
    await store.receive(\.response.failure) { $0.isLoading = false }
  }

  @Test func `time`() async {
    let store = TestStore(initialState: Clock.State()) { Clock() }
    await store.send(.start)
    await store.advance(by: .seconds(2))
    await store.receive(.tick) { $0.seconds = 1 }
    await store.receive(.tick) { $0.seconds = 2 }
    await store.send(.stop)
  }

  @Test func `saying less`() async {
    let store = TestStore(initialState: Fact.State()) { Fact() }
    store.exhaustivity = .off
    await store.send(.askTapped)
    await store.receive(effect: NumberFact(number: 0), answer: .output("0 is even"))
    await store.receive(\.response) { $0.fact = "0 is even" }
  }

  @Test func `an operation`() async {
    let trial = await NumberFact(number: 7).trial {
      $0[FactClient.self] = FactClient { "\($0) is a number" }
    }
    #expect(trial.outputs == ["7 is a number"])
  }

  @Test func `the article has no other samples`() throws {
    let article = try Article("TestingFeatures.md")
    let sources = try Article.source(#filePath)
    for sample in article.samples {
      #expect(sources.contains(sample), "No test has this sample:\n\(sample)")
    }
    #expect(article.samples.count == 6)
  }
}

@Reducer
struct Fact {
  // swift-format-ignore
  struct State { var number = 0; var fact: String?; var isLoading = false }
  enum Action { case askTapped, cancelTapped, response(Outcome<String>) }
  enum CancelID { case fact }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .askTapped:
        state.isLoading = true
        return .run(NumberFact(number: state.number), to: \.response).cancellable(id: CancelID.fact)
      case .cancelTapped:
        state.isLoading = false
        return .cancel(id: CancelID.fact)
      case .response(let outcome):
        state.isLoading = false
        if case .success(let fact) = outcome { state.fact = fact }
        return .none
      }
    }
  }
}

@Reducer
struct Clock {
  struct State { var seconds = 0 }
  enum Action { case start, stop, tick }
  enum CancelID { case timer }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start: return .every(.seconds(1), .tick).cancellable(id: CancelID.timer)
      case .stop: return .cancel(id: CancelID.timer)
      case .tick:
        state.seconds += 1
        return .none
      }
    }
  }
}
