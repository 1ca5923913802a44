import Glibc
import PenstockCore
import Processes
import ProcessSupport
import Testing
import Wire
import ZeroMQ

@Suite(.serialized) struct LoopTests {
  @Test(arguments: [["/"], ["/", "/left", "/right"]])
  func `a thousand actions are each in the state once`(scopes: [String]) async throws {
    let system = try RunningSystem(scopes: scopes)
    let client = try system.client()
    let (state, last) = try await withDeadline {
      var last: ClientOutcome?
      try await withThrowingTaskGroup(of: ClientOutcome.self) { group in
        for number in 0..<1000 {
          group.addTask { try await client.add(number, to: number % 2 == 0 ? "/left" : "/right") }
        }
        for try await outcome in group { last = outcome }
      }
      return (
        try await client.state(at: "/") { $0.contains("\"total\":499500") }, last
      )
    }
    #expect(state.contains("\"sum\":249500"), "\(state)\n\(system.logs)")
    #expect(last != nil)
    client.close()
  }

  @Test func `what nobody can read is dropped and counted (F-7)`() async throws {
    let system = try RunningSystem(scopes: ["/"], workers: 0)
    let client = try system.client()
    _ = try await withDeadline { try await client.add(1, to: "/left") }
    let stranger = try Socket(.dealer, context: Context())
    try stranger.connect(Endpoint(path: system.directory.file("router.sock")))
    #expect(try stranger.send(Array("hello".utf8)) == .sent)
    #expect(try stranger.send([0x50, 0x53, 9] + Bytes(repeating: 0, count: 53)) == .sent)
    let isCounted = try await waitUntil {
      let reply = try await client.request("ps")
      return String(decoding: reply.body, as: UTF8.self).contains("\"dropped\":2,")
    }
    #expect(isCounted, "\(system.logs)")
    _ = try await withDeadline { try await client.add(2, to: "/left") }
    client.close()
  }

  @Test func `what exceeds a limit is answered with a code and costs no process`() async throws {
    let system = try RunningSystem()
    let client = try system.client()
    let outcomes = try await withDeadline {
      let path = Path("/left")!
      return [
        try await client.submit(path, Array("{\"flood\":1024}".utf8)),
        try await client.submit(path, Array("{\"flood\":1025}".utf8)),
        try await client.submit(path, Array(repeating: 0x30, count: 1 << 21)),
        try await client.add(1, to: "/left"),
      ]
    }
    guard case .committed = outcomes[0].status, case .void(_, .tooLarge) = outcomes[1].status,
      case .refused(let refusal) = outcomes[2].status, case .committed = outcomes[3].status
    else {
      Issue.record("\(outcomes)\n\(system.logs)")
      return
    }
    #expect(refusal.code == .tooLarge)
    _ = try await withDeadline {
      try await client.state(at: "/left") { $0.contains("\"sum\":1026") }
    }
    for (scope, process) in system.features { #expect(process.isRunning, "\(scope)") }
    client.close()
  }

  @Test(
    "What makes a state nest too deep is refused wherever its feature runs, and costs no process",
    arguments: [["/"], ["/", "/folder"]])
  func depth(scopes: [String]) async throws {
    let system = try RunningSystem("scenarios", scopes: scopes, workers: 0)
    let client = try system.client()
    var path = "/folder"
    var refused = 0
    for level in 1...80 where refused < 3 {
      let folder = path
      let outcome = try await withDeadline {
        try await client.submit(Path(folder)!, Array("{\"add\":1}".utf8))
      }
      switch outcome.status {
      case .committed: path += "/folders/1"
      case .void(_, .tooLarge): refused += 1
      case let other: Issue.record("\(level): \(other) \(system.logs)")
      }
    }
    // A folder in folders is an object in an array, and so deep it has an empty array.
    #expect(path.split(separator: "/").count == 1 + 2 * 62 && refused == 3)
    for (scope, process) in system.features { #expect(process.isRunning, "\(scope)") }
    for scope in scopes {
      system.features[scope]?.signal(SIGKILL)
      _ = system.features[scope]?.exitCode()
      try system.startFeature(scope)
    }
    let deepest = path
    let outcome = try await withDeadline {
      try await client.submit(Path(deepest)!, Array("{\"remove\":1}".utf8))
    }
    guard case .committed = outcome.status else {
      Issue.record("\(outcome) \(system.logs)")
      return
    }
    _ = try await withDeadline {
      try await client.state(at: "/folder") { $0.hasPrefix("{\"id\":0,\"name\":\"\",\"seen\":62,") }
    }
    client.close()
  }
}
