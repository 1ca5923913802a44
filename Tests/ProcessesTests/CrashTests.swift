import Glibc
import PenstockCore
import Platform
import Processes
import ProcessSupport
import Synchronization
import Testing
import Wire

/// Any process may be killed at any time: what was acknowledged is in the state afterwards, once.
///
/// Without durability too, as long as the system lives: what a killed router wrote is the kernel's to
/// keep. So where the router survives, the tests don't wait for the disk.
@Suite(.serialized) struct CrashTests {
  /// A client that adds numbers one after the other and remembers which were committed.
  final class Load: Sendable {
    let committed = Mutex<[Int]>([])
    private let isOver = Mutex(false)
    private let client: ClientConnection
    private let task: Mutex<Task<Void, any Error>?> = Mutex(nil)

    init(_ client: ClientConnection, scope: String, inFlight: Int = 50) {
      self.client = client
      let running = Task { [self] in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for lane in 0..<inFlight {
            group.addTask { [self] in
              var number = lane
              while !isOver.withLock({ $0 }) {
                let outcome = try await client.add(number, to: scope)
                if case .committed = outcome.status {
                  let done = number
                  committed.withLock { $0.append(done) }
                }
                number += inFlight
              }
            }
          }
          try await group.waitForAll()
        }
      }
      task.withLock { $0 = running }
    }

    var count: Int { committed.withLock { $0.count } }

    func hasGrown(by number: Int, within seconds: Double = 60) async -> Bool {
      let before = count
      return await waitUntil(within: seconds) { count >= before + number }
    }

    /// Stops and waits until every action has its outcome.
    func finish() async throws -> [Int] {
      isOver.withLock { $0 = true }
      let running = task.withLock { $0 }
      try await running?.value
      return committed.withLock { $0 }
    }
  }

  /// Every acknowledged number is in the state, and no number twice.
  private func check(_ load: Load, _ system: RunningSystem, scope: String) async throws {
    let committed = try await withDeadline { try await load.finish() }
    let client = try system.client("reader")
    let state = try await withDeadline {
      try await client.state(at: scope) { text in
        Set(committed).isSubset(of: additions(in: text).keys)
      }
    }
    #expect(additions(in: state).values.allSatisfy { $0 == 1 }, "\(system.logs)")
    client.close()
  }

  @Test(arguments: [[], ["--no-durability"]])
  func `the router is killed`(options: [String]) async throws {
    let system = try RunningSystem(routerOptions: options)
    let client = try system.client()
    let load = Load(client, scope: "/left")
    for _ in 0..<2 {
      #expect(await load.hasGrown(by: 200), "\(system.logs)")
      system.router?.signal(SIGKILL)
      #expect(system.router?.exitCode() == 128 + SIGKILL)
      try system.startRouter()
    }
    #expect(await load.hasGrown(by: 200), "\(system.logs)")
    try await check(load, system, scope: "/left")
    client.close()
  }

  @Test(arguments: ["/", "/left"])
  func `a feature is killed`(scope: String) async throws {
    let system = try RunningSystem()
    let client = try system.client()
    let load = Load(client, scope: "/left")
    for _ in 0..<2 {
      #expect(await load.hasGrown(by: 200), "\(system.logs)")
      system.features[scope]?.signal(SIGKILL)
      try system.startFeature(scope)
    }
    #expect(await load.hasGrown(by: 200), "\(system.logs)")
    try await check(load, system, scope: "/left")
    client.close()
  }

  @Test func `a stopped feature is killed by the router, and its successor goes on (R2)`()
    async throws
  {
    let system = try RunningSystem()
    let client = try system.client()
    let load = Load(client, scope: "/left")
    #expect(await load.hasGrown(by: 200), "\(system.logs)")
    let stopped = try #require(system.features["/left"])
    stopped.signal(SIGSTOP)
    #expect(stopped.exitCode(within: 4) == 128 + SIGKILL, "\(system.logs)")
    try system.startFeature("/left")
    #expect(await load.hasGrown(by: 200), "\(system.logs)")
    try await check(load, system, scope: "/left")
    client.close()
  }

  @Test(arguments: [[], ["--no-durability"]])
  func `all are killed and started again`(options: [String]) async throws {
    let system = try RunningSystem(routerOptions: options)
    let client = try system.client()
    let load = Load(client, scope: "/right")
    #expect(await load.hasGrown(by: 500), "\(system.logs)")
    let everybody =
      [system.router] + Array(system.features.values) + Array(system.workers.values)
    for process in everybody { process?.signal(SIGKILL) }
    for process in everybody { #expect(process?.exitCode() == 128 + SIGKILL) }
    try system.startRouter()
    for scope in ["/", "/left", "/right"] { try system.startFeature(scope) }
    #expect(await load.hasGrown(by: 200), "\(system.logs)")
    try await check(load, system, scope: "/right")
    client.close()
  }

  @Test func `a worker is killed and another one ends what it ran`() async throws {
    let system = try RunningSystem(workers: 2)
    let client = try system.client()
    try await withDeadline {
      for number in 0..<8 {
        _ = try await client.submit(
          Path("/left")!,
          Array("{\"ask\":{\"_0\":\(number),\"milliseconds\":300}}".utf8))
      }
    }
    #expect(await waitUntil { system.workers["worker-1"]?.isRunning == true })
    system.workers["worker-1"]?.signal(SIGKILL)
    let state = try await withDeadline {
      try await client.state(at: "/left") { $0.contains("\"pending\":0") }
    }
    #expect(integers("answers", in: state).sorted() == Array(0..<8))
    client.close()
  }

  @Test func `what ends its feature three times is set aside for good, and the rest goes on (R5)`()
    async throws
  {
    let system = try RunningSystem(routerOptions: [])
    let client = try system.client()
    let load = Load(client, scope: "/right", inFlight: 4)
    let trapped = Mutex<ClientOutcome?>(nil)
    client.submit([.init(path: Path("/left")!, payload: Array("\"trap\"".utf8))]) { _, result in
      trapped.withLock { $0 = try? result.get() }
    }
    // A death counts when the action was reduced alone: that of the first try may not.
    var deaths = 0
    while trapped.withLock({ $0 == nil }), deaths < 6 {
      guard system.features["/left"]?.exitCode(within: 0.05) != nil else { continue }
      deaths += 1
      try system.startFeature("/left")
    }
    #expect((3...4).contains(deaths), "\(system.logs)")
    let outcome = try #require(trapped.withLock { $0 })
    guard case .void(let sequence, .poison) = outcome.status else {
      Issue.record("\(outcome)\n\(system.logs)")
      return
    }
    // It is remembered, by the next router too.
    let question = Array("{\"seq\":\(sequence)}".utf8)
    for isRestarted in [false, true] {
      if isRestarted {
        system.router?.signal(SIGKILL)
        #expect(system.router?.exitCode() == 128 + SIGKILL)
        try system.startRouter()
      }
      #expect(await load.hasGrown(by: 100), "\(system.logs)")
      let reply = try await withDeadline { try await client.request("quarantine", question) }
      let answer = String(decoding: reply.body, as: UTF8.self)
      #expect(reply.status == 0, "\(answer)")
      #expect(answer.contains(#""payload":"\"trap\"""#), "\(answer)")
    }
    #expect(try await withDeadline { try await client.add(1, to: "/left") }.status.isCommitted)
    try await check(load, system, scope: "/right")
    client.close()
  }
}

extension ClientOutcome.Status {
  fileprivate var isCommitted: Bool { if case .committed = self { true } else { false } }
}
