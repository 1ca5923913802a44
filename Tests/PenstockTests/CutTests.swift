import Penstock
import PenstockCore
import Testing

struct CutTests {
  @Test(arguments: [1, 2, 3])
  func `a replay that begins at a cut goes on as the whole one (J-13)`(seed: Int) throws {
    var run = try RandomRun(TreeApp(), .tree, seed: UInt64(seed), placement: [.root])
    for _ in 0..<150 { try run.step() }
    var whole = try OrderReplay(run.application, initial: run.order[0])
    var others: [OrderReplay<TreeApp>] = []
    for record in run.order.dropFirst() {
      _ = try whole.apply(record)
      let cut = whole.cut
      for index in others.indices {
        _ = try others[index].apply(record)
        #expect(others[index].cut == cut)
      }
      if record.sequence % 30 == 0 {
        others.append(try OrderReplay(run.application, from: cut))
      }
    }
    #expect(others.count == 5)
  }

  @Test func `a state of another application is a divergence`() throws {
    let run = try RandomRun(TreeApp(), .tree, seed: 1, placement: [.root])
    let cut = OrderCut(sequence: 7, state: Array("7".utf8), living: [:], mounts: [:])
    #expect {
      _ = try OrderReplay(run.application, from: cut)
    } throws: {
      ($0 as? Divergence)?.sequence == 7
    }
  }
}
