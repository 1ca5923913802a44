import Glibc
import Machines
import PenstockCore
import ProcessSupport
import Processes
import SQLiteJournal
import Testing

/// A build with other states goes on with a journal when it can migrate them (J-14).
@Suite(.serialized) struct MigrationTests {
  private static let scopes = ["/", "/left", "/right"]

  /// A system of the first version that ran.
  private func first(stop signal: Int32) async throws -> RunningSystem {
    let system = try RunningSystem()
    let client = try system.client()
    defer { client.close() }
    try await withDeadline {
      for number in 1..<10 { _ = try await client.add(number, to: "/left") }
      _ = try await client.request("checkpoint")
      _ = try await client.add(10, to: "/right")
    }
    system.router?.signal(signal)
    #expect(system.router?.exitCode() == (signal == SIGKILL ? 128 + SIGKILL : 0))
    for process in system.features.values { process.signal(SIGKILL) }
    return system
  }

  private func add(_ number: Int, to system: RunningSystem) async throws -> String {
    let client = try system.client()
    defer { client.close() }
    return try await withDeadline {
      _ = try await client.add(number, to: "/left")
      return try await client.state(at: "/") { $0.contains("\"id\":\(number),") }
    }
  }

  @Test func `states of the version before are migrated, and the rest of the order goes on (J-14)`()
    async throws
  {
    let system = try await first(stop: SIGTERM)
    try system.startRouter()
    for scope in Self.scopes { try system.startFeature(scope, executable: "pair-next") }
    let state = try await add(100, to: system)
    // sum 45 of 1…9, and 10 at the other side.
    #expect(state.contains("{\"left\":{\"total\":145,"), "\(state)")
    #expect(state.contains("\"best\":100,"), "\(state)")
    #expect(state.contains("\"right\":{\"total\":10,"), "\(state)")
    #expect(state.contains("\"best\":10,"), "\(state)")
    #expect(state.hasSuffix("\"total\":155}"), "\(state)")
    // It is durable: after a crash nothing has to be migrated again.
    system.router?.signal(SIGKILL)
    for process in system.features.values { process.signal(SIGKILL) }
    #expect(system.router?.exitCode() == 128 + SIGKILL)
    try system.startRouter()
    for scope in Self.scopes { try system.startFeature(scope, executable: "pair-next") }
    #expect(try await add(101, to: system).contains("\"total\":246"))
    #expect(system.features["/"]?.errors.contains("migrating") == false)
    let file = system.directory.file("journal.sqlite")
    #expect(try SQLiteJournal.verify(path: file).lastRecord == 12)
    // And a replay by the new build begins where it was migrated.
    let report = try ChildProcess("pair-next", ["verify", "--journal", file])
    #expect(report.exitCode() == 0, "\(report.output) \(report.errors)")
    #expect(report.output.contains("\"begins\":10,\"last\":12,"), "\(report.output)")
  }

  @Test func `without a migration the start is refused, and says what changed (J-14)`()
    async throws
  {
    let system = try await first(stop: SIGTERM)
    try system.startRouter()
    let directory = TemporaryDirectory()
    let path = directory.file("pair-unversioned")
    #expect(symlink("\(ChildProcess.productsDirectory)/pair-next", path) == 0)
    let root = try system.startFeature("/", executable: path)
    #expect(root.exitCode() == 7, "\(system.logs)")
    let log = root.errors
    #expect(log.contains("code=schema-mismatch"), "\(log)")
    #expect(log.contains("/left (version 1): “sum” (int) is gone"), "\(log)")
    #expect(log.contains("“total” (int) is new, “best” (int) is new"), "\(log)")
    #expect(log.contains("static func migrate"), "\(log)")
    // The build that wrote it goes on.
    for scope in Self.scopes { try system.startFeature(scope) }
    #expect(try await add(11, to: system).contains("\"sum\":56"))
  }

  @Test func `what was reduced since the last checkpoint is not migrated (J-14)`() async throws {
    let system = try await first(stop: SIGKILL)
    try system.startRouter()
    let root = try system.startFeature("/", executable: "pair-next")
    #expect(root.exitCode() == 7, "\(system.logs)")
    #expect(root.errors.contains("1 records stand after the last checkpoint"), "\(root.errors)")
  }
}
