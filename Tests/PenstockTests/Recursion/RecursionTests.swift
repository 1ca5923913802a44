import Penstock
import Simulation
import Testing

/// Features that contain themselves.
struct RecursionTests {
  private let application = Application(TestApp(Cabinet(), Cabinet.State()))
  private let deep = Path("/top/folders/1/shelf/folders/2/folders/3")!

  @Test func `a feature is described where it stands first, and what comes below it repeats it`() {
    #expect(
      application.description.levels.map { level in
        "\(level.path) \(level.repeats.map { "repeats \($0)" } ?? "") \(level.statePath)"
      } == [
        "/  []",
        #"/top  ["top"]"#,
        #"/top/shelf  ["top", "shelf"]"#,
        #"/top/shelf/folders/* repeats /top ["top", "shelf", "folders", "*"]"#,
        #"/top/folders/* repeats /top ["top", "folders", "*"]"#,
      ])
    let read = try? JSONReader.decode(
      ApplicationDescription.self, from: JSONWriter.bytes(of: application.description))
    #expect(read == application.description)
  }

  @Test func `paths lead as deep as folders are, where addresses are made canonical`() throws {
    let payload =
      #"{"top":{"folders":{"element":{"id":1,"action":{"shelf":{"folders":{"element":"#
      + #"{"id":2,"action":{"folders":{"element":{"id":3,"action":"tick"}}}}}}}}}}}"#
    let canonical = try #require(
      application.description.canonical(.root, Array(payload.utf8)))
    #expect(canonical.path == deep)
    #expect(canonical.payload.elementsEqual(#""tick""#.utf8))
    let action = try application.action(at: deep, Array(#""tick""#.utf8))
    #expect(application.address(action).path == deep)
    #expect(application.description.level(addressed: deep)?.repeats == Path("/top"))
    #expect(application.description.canonical(Path("/top/folders/1/pages")!, []) == nil)
  }

  @Test func `what is internal is so at every depth`() {
    let forget = Array(#""forget""#.utf8)
    #expect(application.description.internalCase(deep, forget)?.path == deep)
    #expect(application.internalCase(deep, forget)?.path == deep)
    #expect(application.internalCase(deep, Array(#""tick""#.utf8)) == nil)
  }

  @Test(arguments: ["/top/folders/1", "/top/folders/1/shelf", "/top/shelf/folders/2/shelf"])
  func `what stands below a repeated feature runs where that does`(path: String) {
    #expect(throws: UndecodableError.self) {
      try application.node(at: Path(path)!, placement: [.root, Path(path)!])
    }
  }

  @Test func `only where types don't bound how deep a state nests it is looked at`() throws {
    #expect(try application.node(at: .root, placement: [.root]).unboundedDepth == 0)
    let top = Path("/top")!
    #expect(try application.node(at: top, placement: [.root, top]).unboundedDepth == 1)
    let flat = Application(TestApp(FlatFeature(), FlatFeature.State()))
    #expect(try flat.node(at: .root, placement: [.root]).unboundedDepth == nil)
  }

  @Test(
    "Folders in folders do as the oracle in every placement (R1, R8)",
    arguments: TestApplication.cabinet.placements)
  func placements(placement: [Path]) throws {
    for seed in 0..<3 {
      var run = try RandomRun(
        TestApp(Cabinet(), Cabinet.State()), .cabinet, seed: UInt64(seed), placement: placement)
      for _ in 0..<300 { try run.step() }
      #expect(run.unmounted > 0)
      let deepest = run.lockStep.mounts.keys.map { $0.components.count }.max() ?? 0
      #expect(deepest >= 5)
      #expect(run.application.replay(run.order, statesAt: []).divergence == nil)
    }
  }

  @Test(
    "What is in a binder in a binder reads as in the oracle in every placement (R1, R15)",
    arguments: TestApplication.desk.placements)
  func reads(placement: [Path]) throws {
    for seed in 0..<3 {
      var run = try RandomRun(
        TestApp(Desk(), Desk.State()), .desk, seed: UInt64(seed), placement: placement)
      for _ in 0..<200 { try run.step() }
      let result = run.application.replay(run.order, statesAt: [])
      #expect(result.divergence == nil)
      #expect(result.finalState == run.lockStep.merged.encode())
    }
  }

  @Test func `a store goes down as far as there are folders`() async {
    let store = Store(
      TestApp(Folder(), Folder.State()), clock: ManualClock().clock, checksPurity: true)
    var path: @Sendable (Folder.Action) -> Folder.Action = { $0 }
    for id in 1...40 {
      store.send(path(.add(id)))
      path = { [path] in path(.folders(.element(id: id, action: $0))) }
    }
    store.send(path(.rename("deepest")))
    var folder = store.state
    while let next = folder.folders.first {
      #expect(folder.seen > 0)
      folder = next
    }
    #expect(folder.id == 40 && folder.name == "deepest")
  }
}
