import Penstock
import Testing

/// Features of the same types that are composed otherwise.
struct UnlikeRepeatTests {
  /// A part, which may hold parts; those hold what they were given.
  @Reducer
  struct Part {
    struct State: Identifiable {
      var id = 0
      var label = Label.State()
      var parts: IdentifiedArrayOf<Part.State> = []
    }

    indirect enum Action {
      case label(Label.Action)
      case parts(IdentifiedAction<Int, Part.Action>)
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.label, action: \.label) { Label() }
      EmptyReducer().forEach(\.parts, action: \.parts) { Part() }
    }
  }

  @Reducer
  struct Label {
    struct State { var text = "" }
    enum Action { case write(String) }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .write(let text) = action { state.text = text }
        return .none
      }
    }
  }

  /// Of a part's types, and holds parts that have no labels.
  @Reducer
  struct Box {
    typealias State = Part.State
    typealias Action = Part.Action

    var body: some ReducerOf<Self> {
      Scope(state: \.label, action: \.label) { Label() }
      EmptyReducer().forEach(\.parts, action: \.parts) { Bare() }
    }
  }

  /// Of a part's types, with nothing in it.
  @Reducer
  struct Bare {
    typealias State = Part.State
    typealias Action = Part.Action

    var body: some ReducerOf<Self> { EmptyReducer() }
  }

  /// Of a part's types, and its label reads.
  @Reducer
  struct ReadingBox {
    typealias State = Part.State
    typealias Action = Part.Action

    var body: some ReducerOf<Self> {
      Scope(state: \.label, action: \.label) { ReadingLabel() }
      EmptyReducer().forEach(\.parts, action: \.parts) { Part() }
    }
  }

  @Reducer
  struct ReadingLabel {
    typealias State = Label.State
    typealias Action = Label.Action

    var body: some ReducerOf<Self> {
      Reduce(reading: SharedValue("/", \Part.State.id)) { state, _, id in
        state.text = "\(id)"
        return .none
      }
    }
  }

  private func obstacle<Root: Reducer>(to root: Root, _ state: Root.State) -> String? {
    Application.obstacleToRepeating(TestApp(root, state))
  }

  @Test func `a feature of another one's types that mounts other children is told`() {
    #expect(
      obstacle(to: Box(), Part.State()) == """
        /parts/* has the State and Action of /, so it is taken for that feature once more, and it is \
        composed otherwise: / mounts label parts, /parts/* mounts nothing. What is below it is found \
        by the description of /. Compose both alike, or give one of the two an Action of its own.
        """)
  }

  @Test func `so is one whose children are composed otherwise`() {
    #expect(
      obstacle(to: ReadingBox(), Part.State())?.contains(
        "/label reads /#id, /parts/*/label reads nothing") == true)
  }

  @Test func `a feature that contains itself is no such one`() {
    #expect(obstacle(to: Part(), Part.State()) == nil)
    #expect(obstacle(to: Cabinet(), Cabinet.State()) == nil)
  }
}
