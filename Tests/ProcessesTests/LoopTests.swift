import Glibc
import PenstockCore
import Processes
import ProcessSupport
import Testing
import Wire

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
}
