import Penstock
import Simulation
import Testing

extension Inventory.Action {
  static func random(using random: inout SeededGenerator) -> Self {
    let number = Int.random(in: 0..<6, using: &random)
    let id = StackElementID(number)
    let editor: Editor.Action =
      [
        .increment, .close, .startTimer, .later, .load, .renumber(number), .addNote,
        .note(.presented(.write("x"))), .note(.presented(.done)), .note(.dismiss),
      ].randomElement(using: &random) ?? .increment
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return .edit(number % 2)
    case 2: return .ask
    case 3: return number == 0 ? .dismissAll : .push
    case 4: return .push
    case 5: return .remove(number)
    case 6: return .open(number % 2)
    case 7: return .destination(.presented(.edit(editor)))
    case 8: return .destination(.presented(.alert(number % 2 == 0 ? .again : .delete)))
    case 9: return number < 2 ? .destination(.dismiss) : .sheet(.dismiss)
    case 10: return .path(.element(id: id, action: .list(editor)))
    case 11:
      return number < 3
        ? .path(.popFrom(id: id)) : .path(.push(id: id, state: .detail(Editor.Note.State())))
    case 12: return .path(.element(id: id, action: .detail(.write("y"))))
    default: return .sheet(.presented(editor))
    }
  }
}

struct InventoryApp: PenstockApp {
  static let name = "inventory"
  static let operations: [any WorkerOperation.Type] = [Work.self]
  var root: Inventory { Inventory() }
  var initialState: Inventory.State { Inventory.State() }
}

extension TestApplication {
  /// Presented features in processes of their own, and a stack in its parent's.
  static let inventory: TestApplication = {
    let program = Application(InventoryApp())
    func paths(_ texts: String...) -> [Path] { texts.compactMap { Path($0) } }
    return TestApplication(
      program: program,
      placements: [
        paths("/"), paths("/", "/sheet"), paths("/", "/sheet", "/sheet/note"),
        paths("/", "/destination"), paths("/", "/destination/edit"),
        paths("/", "/destination", "/destination/edit", "/destination/edit/note", "/sheet"),
      ],
      makeAction: { seed in
        var random = SeededGenerator(seed: seed)
        return program.address(Inventory.Action.random(using: &random))
      },
      results: treeResult)
  }()
}

/// Mounting, popping and replacing are the same wherever a process boundary stands.
struct NavigationPlacementTests {
  @Test(
    "26–43: navigation does as the oracle in every placement (R1, R8)",
    arguments: TestApplication.inventory.placements)
  func placements(placement: [Path]) throws {
    for seed in 0..<3 {
      var run = try RandomRun(
        InventoryApp(), .inventory, seed: UInt64(seed), placement: placement)
      for _ in 0..<300 { try run.step() }
      #expect(run.unmounted > 0)
      #expect(run.voids > 0)
      let result = run.application.replay(run.order, statesAt: [100])
      #expect(result.divergence == nil)
      #expect(result.finalState == run.lockStep.merged.encode())
    }
  }

  @Test("What can be placed says so, and the stack says why it can't")
  func places() {
    let levels = TestApplication.inventory.program.description.levels
    #expect(
      levels.filter { $0.placementObstacle == nil }.map(\.path.description) == [
        "/", "/destination", "/destination/edit", "/destination/edit/note", "/destination/alert",
        "/sheet", "/sheet/note",
      ])
  }
}
