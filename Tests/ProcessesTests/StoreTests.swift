import Glibc
import Penstock
import PenstockCore
import PenstockRuntime
import Processes
import ProcessSupport
import Synchronization
import Testing
import Wire

@testable import pair

/// `Store` and `Store.connect` are one interface: the same programs run on all engines.
@Suite(.serialized) struct StoreTests {
  /// Runs a program on each engine; it can't tell which one it has.
  private func onEach(
    _ engine: RunningStore.Engine,
    _ program: @escaping @Sendable (Store<PairApplication>) async throws -> Void
  ) async throws {
    let running = try await RunningStore(engine)
    let store = running.store
    try await withDeadline(seconds: 40) { try await program(store) }
    #expect(store.diagnostics == [])
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `what is committed is in the state, in the order of the sends`(
    engine: RunningStore.Engine
  ) async throws {
    try await onEach(engine) { store in
      #expect(store.state == Pair.State())
      let first = try await store.send(.left(.add(3))).committed()
      #expect(store.state.left.sum == 3 && store.state.total == 3)
      let tasks = (1...200).map { store.send($0 % 2 == 0 ? .left(.add($0)) : .right(.add($0))) }
      let last = try await tasks[199].committed()
      #expect(first < last)
      #expect(store.state.total == 20_103)
      #expect(store.state.right.numbers.map(\.id) == Array(stride(from: 1, to: 200, by: 2)))
      var numbers: [UInt64] = []
      for task in tasks { numbers.append(try await task.committed()) }
      #expect(numbers == Array(last - 199...last))
      try await store.send(.reset).committed()
      #expect(store.state.total == 0 && store.state.left.sum == 0 && store.state.right.sum == 0)
    }
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `10: a task is finished when what followed from its action is`(
    engine: RunningStore.Engine
  ) async throws {
    try await onEach(engine) { store in
      let endless = store.send(.right(.ask(7, milliseconds: 60_000)))
      try await store.send(.left(.ask(5, milliseconds: 30))).finish()
      #expect(store.state.left.answers == [5] && store.state.left.pending == 0)
      try await endless.committed()
      #expect(try await store.effectsInFlight == 1)
      endless.cancel()
      try await endless.finish()
      #expect(try await store.effectsInFlight == 0)
      #expect(store.state.right.answers == [] && store.state.right.pending == 1)
    }
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `12: cancelling the tree ends what the action's sends started, and no other's`(
    engine: RunningStore.Engine
  ) async throws {
    try await onEach(engine) { store in
      let other = store.send(.right(.ask(1, milliseconds: 60_000)))
      let task = store.send(.left(.askThrice))
      try await task.committed()
      _ = try await store.wait { $0.left.pending == 3 }
      task.cancel()
      try await store.send(.right(.add(1))).committed()
      #expect(try await store.effectsInFlight == 4)
      task.cancelTree()
      try await task.finish()
      #expect(try await store.effectsInFlight == 1)
      other.cancel()
      try await other.finish()
      #expect(store.state.left.answers == [])
    }
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `5: an observer that sends is heard, told of in order, and diagnosed`(
    engine: RunningStore.Engine
  ) async throws {
    let running = try await RunningStore(engine)
    let store = running.store
    let seen = Mutex<[Int]>([])
    store.observe { [weak store] state in
      seen.withLock { $0.append(state.left.sum) }
      if state.left.sum == 1 { store?.send(.left(.bump(-1))) }
    }
    try await withDeadline(seconds: 40) { try await store.send(.left(.bump(1))).committed() }
    let isToldBack = await waitUntil { seen.withLock { $0.count == 3 } }
    #expect(isToldBack)
    #expect(seen.withLock { $0 } == [0, 1, 0])
    #expect(
      store.diagnostics == [
        """
        An observer sent an action to /left while it was told of a state. The other observers see a \
        state that is old already: send actions from where something happens, not from observers.
        """
      ])
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `who is cancelled waits no longer, and the effects go on`(
    engine: RunningStore.Engine
  ) async throws {
    try await onEach(engine) { store in
      let task = store.send(.left(.ask(1, milliseconds: 60_000)))
      try await task.committed()
      let waiting = [
        Task { try await task.finish() }, Task { try await store.settle() },
        Task { _ = try await store.wait { $0.total == 1_000 } },
      ]
      for waits in waiting {
        waits.cancel()
        await #expect(throws: CancellationError.self) { try await waits.value }
      }
      #expect(try await store.effectsInFlight == 1)
      let ended = Task {
        try await withTaskCancellationHandler {
          try await task.finish()
        } onCancel: {
          task.cancelTree()
        }
      }
      ended.cancel()
      _ = await ended.result
      try await task.finish()
      #expect(try await store.effectsInFlight == 0)
    }
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `C-12: an internal action is refused, and used by its feature`(
    engine: RunningStore.Engine
  ) async throws {
    let running = try await RunningStore(engine)
    let store = running.store
    try await withDeadline(seconds: 40) {
      let error = await #expect(throws: StoreError.self) {
        try await store.send(.left(.answered(.success(7)))).committed()
      }
      #expect(error?.code == .internalAction)
      try await store.send(.left(.ask(5, milliseconds: 1))).finish()
      #expect(store.state.left.answers == [5])
      #expect(store.diagnostics == ["\(error!)"])
    }
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `C-13: of many bindings the last one counts, and each task ends`(
    engine: RunningStore.Engine
  ) async throws {
    try await onEach(engine) { store in
      let tasks = (1...300).map { store.send(.left(.binding(.set(\.note, "\($0)")))) }
      try await store.send(.left(.add(1))).committed()
      #expect(store.state.left.note == "300")
      var numbers: [UInt64] = []
      for task in tasks { numbers.append(try await task.committed()) }
      #expect(numbers == numbers.sorted())
    }
  }

  @Test func `C-12: the router itself refuses what a raw client sends`() async throws {
    let system = try RunningSystem()
    let client = try system.client()
    for (path, payload) in [
      ("/left", #"{"answered":{"success":7}}"#), ("/", #"{"left":{"answered":{"success":7}}}"#),
    ] {
      let outcome = try await withDeadline {
        try await client.submit(Path(path)!, Bytes(payload.utf8))
      }
      guard case .refused(let refusal) = outcome.status else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(refusal.code == .internalAction)
    }
    let added = try await withDeadline { try await client.add(1, to: "/left") }
    guard case .committed = added.status else {
      Issue.record("\(added)")
      return
    }
    client.close()
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `a timer ticks until its task is cancelled`(engine: RunningStore.Engine) async throws {
    try await onEach(engine) { store in
      let timer = store.send(.left(.start))
      let state = try await store.wait { $0.left.ticks >= 2 }
      #expect(state.left.ticks >= 2)
      try await timer.committed()
      timer.cancel()
      try await store.settle()
      let ticks = store.state.left.ticks
      try await store.send(.right(.add(1))).committed()
      #expect(store.state.left.ticks == ticks)
    }
  }

  @Test(arguments: RunningStore.Engine.allCases)
  func `states begin with the present one and end with the last`(
    engine: RunningStore.Engine
  ) async throws {
    try await onEach(engine) { store in
      try await store.send(.left(.bump(1))).committed()
      let observed = Mutex<[Int]>([])
      store.observe { state in observed.withLock { $0.append(state.left.sum) } }
      var read: [Int] = []
      for try await state in store.states {
        if read.isEmpty {
          for _ in 0..<20 { store.send(.left(.bump(1))) }
        }
        read.append(state.left.sum)
        if state.left.sum == 21 { break }
      }
      #expect(read.first == 1 && read.last == 21 && read == read.sorted())
      _ = await waitUntil { observed.withLock { $0.last == 21 } }
      let all = observed.withLock { $0 }
      #expect(all.first == 1 && all.last == 21 && all == Array(Set(all)).sorted())
    }
  }

  @Test func `the router is killed between sends, and each of them ends once`() async throws {
    let system = try RunningSystem()
    let store: Store<PairApplication> = try await .connect(
      to: system.directory.path, timeout: .seconds(20))
    let totals = Mutex<[Int]>([])
    store.observe { state in totals.withLock { $0.append(state.left.numbers.count) } }
    var tasks: [StoreTask] = []
    for round in 0..<3 {
      for number in round * 100..<round * 100 + 50 { tasks.append(store.send(.left(.add(number)))) }
      // Some are on their way, some were acknowledged.
      let middle = tasks[round * 100 + 20]
      try await withDeadline { try await middle.committed() }
      system.router?.signal(SIGKILL)
      #expect(system.router?.exitCode() == 128 + SIGKILL)
      for number in round * 100 + 50..<round * 100 + 100 {
        tasks.append(store.send(.left(.add(number))))
      }
      try system.startRouter()
    }
    let (all, state) = (tasks, store)
    let numbers = try await withDeadline(seconds: 40) {
      var numbers: [UInt64] = []
      for task in all { numbers.append(try await task.committed()) }
      return numbers
    }
    #expect(numbers == numbers.sorted() && Set(numbers).count == 300)
    let rows = state.state.left.numbers
    #expect(rows.map(\.id) == Array(0..<300), "\(system.logs)")
    #expect(rows.allSatisfy { $0.times == 1 })
    let seen = totals.withLock { $0 }
    #expect(seen == seen.sorted() && seen.last == 300)
    #expect(store.diagnostics == [])
  }

  @Test func `an action is refused while its feature is down, and the others go on (R2)`()
    async throws
  {
    let system = try RunningSystem()
    let store: Store<PairApplication> = try await .connect(
      to: system.directory.path, timeout: .seconds(20))
    try await withDeadline { try await store.send(.left(.add(1))).committed() }
    system.features["/left"]?.signal(SIGKILL)
    #expect(system.features["/left"]?.exitCode() == 128 + SIGKILL)
    let error = await #expect(throws: StoreError.self) {
      try await withDeadline { try await store.send(.left(.add(2))).committed() }
    }
    #expect(error?.code == .unavailable, "\(String(describing: error))")
    try await withDeadline { try await store.send(.right(.add(3))).committed() }
    #expect(store.state.left.sum == 1 && store.state.right.sum == 3)
    #expect(store.diagnostics.count == 1)
    #expect(store.diagnostics.first?.hasSuffix("[unavailable]") == true)
  }
}
