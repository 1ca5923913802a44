import Penstock

/// The tally of the next version: `sum` has another name, what nobody needs is gone, `best` is new.
@Reducer
struct Tally {
  @ObservableState
  struct State {
    var total = 0
    var numbers: IdentifiedArrayOf<Addition> = []
    var best: Int
    var note = ""

    /// The build that is called `…-unversioned` forgot to raise it.
    static var version: Int { CommandLine.arguments[0].hasSuffix("-unversioned") ? 1 : 2 }

    static func migrate(_ fields: inout StoredFields, from version: Int) throws {
      fields.rename("sum", to: "total")
      let numbers: IdentifiedArrayOf<Addition> = try fields.value("numbers") ?? []
      fields.set("best", to: numbers.elements.map(\.id).max() ?? 0)
    }
  }

  enum Action {
    case add(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let number):
        state.total += number
        state.best = max(state.best, number)
        state.numbers.append(Addition(id: number))
        return .none
      }
    }
  }
}

@JSONCodable
struct Addition: Identifiable {
  var id: Int
  var times = 0
}
