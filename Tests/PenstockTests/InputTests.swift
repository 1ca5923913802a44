import FoundationEssentials
import Penstock
import Synchronization
import Testing

struct InputTests {
  let application = Application(TestApp(Drawing(), Drawing.State()))

  func input(_ path: String, _ action: String, seed: UInt64 = 5) -> StageInput {
    StageInput(
      sequence: 3, path: Path(path)!, payload: Array(action.utf8), now: 1_500_000, seed: seed,
      isQuiet: true)
  }

  func reduce(_ node: any NodeProgram, _ input: StageInput) throws -> Bytes {
    func run<Program: NodeProgram>(_ program: Program) throws -> Bytes {
      var state = try program.decode(Array("{}".utf8))
      _ = try program.reduce(&state, input)
      return program.encode(state)
    }
    return try run(node)
  }

  @Test("Draws are functions of seed, path and index, whatever the placement (R13)")
  func draws() throws {
    let root = try application.node(at: .root, placement: [.root])
    let child = try application.node(at: Path("/child")!, placement: [.root, Path("/child")!])
    let action = input("/child", #""draw""#)
    let whole = try JSONReader.decode(Drawing.State.self, from: reduce(root, action))
    let part = try JSONReader.decode(Drawing.Child.State.self, from: reduce(child, action))
    #expect(whole.child == part)
    #expect(Set(whole.ids + part.ids).count == 4)
    #expect(whole.date == Date(timeIntervalSince1970: 1.5))
    #expect(try reduce(root, action) == reduce(root, action))
    let other = input("/child", #""draw""#, seed: 6)
    #expect(try reduce(root, other) != reduce(root, action))
    #expect(whole.ids[0].uuidString.split(separator: "-")[2].hasPrefix("4"))
  }

  @Test("A reducer's logger is silent where it is told to be")
  func logger() throws {
    let lines = Mutex<[String]>([])
    let before = ReducerLogger.sink.withLock { sink in
      let before = sink
      sink = { path, message in lines.withLock { $0.append("\(path) \(message)") } }
      return before
    }
    defer { ReducerLogger.sink.withLock { $0 = before } }
    let root = try application.node(at: .root, placement: [.root])
    var loud = input("/", #""draw""#)
    _ = try reduce(root, loud)
    #expect(lines.withLock { $0 } == [])
    loud.isQuiet = false
    _ = try reduce(root, loud)
    #expect(lines.withLock { $0 } == ["/ drawn"])
  }

  @Test("Purity mode finds what a reducer reads besides state and action (R13)")
  func purity() throws {
    let record = OrderRecord(
      sequence: 0, path: .root, payload: JSONWriter.bytes(of: Drawing.State()), now: 0, seed: 0,
      origin: .initial, correlation: 0)
    func second(_ action: String) -> OrderRecord {
      OrderRecord(
        sequence: 1, path: .root, payload: Array(action.utf8), now: 0, seed: 0,
        origin: .client(session: 1, sequence: 1), correlation: 1)
    }
    let pure = application.replay([record, second(#""draw""#)], statesAt: [], checksPurity: true)
    #expect(pure.divergence == nil)
    let impure = application.replay(
      [record, second(#""cheat""#)], statesAt: [], checksPurity: true)
    #expect(impure.divergence?.sequence == 1)
    #expect(
      impure.divergence?.message == """
        Reduced again on a state that was encoded and decoded, the action at / gave another result. \
        The reducer reads something besides state and action, such as a clock or the order of a Set, \
        or the state does not encode all of itself.
        """)
  }
}
