import FoundationEssentials
package import Penstock
import Simulation

/// `/`: watches everything and sometimes writes to what lies deep below.
@Reducer
package struct Tree {
  package struct State {
    var a = Branch.State()
    var list = RowList.State()
    var seen = 0
    var resets = 0
    var stamp: Date?
    var token: UUID?
    var dice: [Int] = []
  }

  package enum Action {
    case resetAll, dropGuest, inviteGuest, burst(Int), roll
    case a(Branch.Action)
    case list(RowList.Action)
  }

  @Dependency(\.now) var now
  @Dependency(\.uuid) var uuid
  @Dependency(\.random) var random

  package var body: some ReducerOf<Self> {
    Scope(state: \.a, action: \.a) { Branch() }
    Scope(state: \.list, action: \.list) { RowList() }
    Reduce { state, action in
      state.seen += 1
      switch action {
      case .resetAll:
        state.resets += 1
        state.a.b = Leaf.State()
        state.list.rows.updateAll { $0.count = 0 }
        return .none
      case .dropGuest:
        state.a.c = nil
        return .none
      case .inviteGuest:
        state.a.c = Guest.State(id: 1_000 + state.seen % 3)
        return .send(.a(.c(.showDetail)))
      case .burst(let count):
        return .merge((0..<count).map { .send(.a(.b(.chain($0 % 3)))) })
      case .roll:
        state.stamp = now
        state.token = uuid()
        state.dice = [random(in: 1...6), random(in: 1...6)]
        return .none
      case .a(.b(.delegate(.reached(let count)))) where count % 3 == 0:
        // A write two levels down, on a child's action.
        state.a.b.ticks = 0
        return .none
      case .a(.c(.counted)) where state.seen % 11 == 0:
        state.a.c = nil
        return .none
      case .a, .list: return .none
      }
    }
  }
}

package struct TreeApp: PenstockApp {
  package static let name = "tree"
  package static let operations: [any WorkerOperation.Type] = [Work.self, Count.self]

  package init() {}

  package var root: Tree { Tree() }
  package var initialState: Tree.State { Tree.State() }
}

extension TestApplication {
  /// Five scopes that can be placed, three deep, with every kind of mount.
  package static let tree: TestApplication = {
    let program = Application(TreeApp())
    func paths(_ texts: String...) -> [Path] { texts.compactMap { Path($0) } }
    return TestApplication(
      program: program,
      placements: [
        paths("/"), paths("/", "/a"), paths("/", "/a/b"), paths("/", "/list"),
        paths("/", "/a", "/a/b"), paths("/", "/a", "/a/c"),
        paths("/", "/a", "/a/b", "/list"), paths("/", "/a", "/a/b", "/a/c", "/list"),
        paths(
          "/", "/a", "/a/b", "/a/b/phase", "/a/b/phase/running", "/a/c", "/a/c/detail", "/list"),
      ],
      makeAction: { seed in
        var random = SeededGenerator(seed: seed)
        return program.address(Tree.Action.random(using: &random))
      },
      results: treeResult)
  }()
}
