import Penstock
import PenstockTesting
import Testing

/// The samples of the article on navigation, as they stand there.
struct NavigationArticleTests {
  @Test func `presenting a feature`() async {
    let store = TestStore(initialState: Items.State()) { Items() }
    await store.send(.editTapped(1)) {
      $0.destination = .edit(EditItem.State(id: 1, name: "valve"))
    }
    await store.send(.destination(.presented(.edit(.binding(.set(\.name, "tap")))))) {
      $0.destination = .edit(EditItem.State(id: 1, name: "tap"))
    }
    await store.send(.destination(.presented(.edit(.doneTapped))))
    await store.receive(\.destination.dismiss) {
      $0.names = ["pump", "tap"]
      $0.destination = nil
    }
  }

  @Test func `alerts`() async {
    let store = TestStore(initialState: Items.State()) { Items() }
    await store.send(.deleteTapped) {
      $0.destination = .alert(
        AlertState("Delete all?", buttons: [.init("Delete", role: .destructive, action: .delete)]))
    }
    await store.send(.destination(.presented(.alert(.delete)))) {
      $0.names = []
      $0.destination = nil
    }
  }

  @Test func `a stack`() async {
    let store = TestStore(initialState: Drill.State()) { Drill() }
    for id in 0..<2 {
      await store.send(.openTapped(id)) {
        $0.path.append(.item(EditItem.State(id: id, name: "part \(id)")))
      }
    }
    await store.send(.path(.element(id: 0, action: .item(.doneTapped))))
    await store.receive(\.path.popFrom, 0) { $0.path.removeAll() }
  }

  @Test func `the article has no other samples`() throws {
    let article = try Article("Navigation.md")
    let sources = try Article.source(#filePath)
    for sample in article.samples {
      #expect(sources.contains(sample), "No test has this sample:\n\(sample)")
    }
    #expect(article.samples.count == 6)
  }
}

@Reducer
enum Destination {
  case edit(EditItem)
  case alert(AlertState<Alert>)

  @CasePathable
  enum Alert { case delete }
}

@Reducer
struct Items {
  struct State {
    @Presents var destination: Destination.State?
    var names = ["pump", "valve"]
  }

  enum Action {
    case editTapped(Int), deleteTapped
    case destination(PresentationAction<Destination.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .editTapped(let index):
        state.destination = .edit(EditItem.State(id: index, name: state.names[index]))
        return .none
      case .deleteTapped:
        state.destination = .alert(
          AlertState("Delete all?", buttons: [.init("Delete", role: .destructive, action: .delete)])
        )
        return .none
      case .destination(.presented(.alert(.delete))):
        state.names = []
        return .none
      case .destination(.dismiss):
        if case .edit(let item)? = state.destination { state.names[item.id] = item.name }
        return .none
      case .destination: return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

@Reducer
struct EditItem {
  // swift-format-ignore
  struct State: Identifiable { let id: Int; var name: String }
  enum Action { case binding(BindingAction<State>), doneTapped }

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.binding)
    Reduce { _, action in
      action == .doneTapped ? .dismiss : .none
    }
  }
}

@Reducer
struct Drill {
  @Reducer
  enum Path {
    case item(EditItem)
  }

  struct State { var path = StackState<Path.State>() }
  enum Action { case openTapped(Int), path(StackActionOf<Path>) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .openTapped(let id) = action {
        state.path.append(.item(EditItem.State(id: id, name: "part \(id)")))
      }
      return .none
    }
    .forEach(\.path, action: \.path)
  }
}
