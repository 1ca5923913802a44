import Glibc
import Machines
import PenstockCore
import ProcessSupport
import Processes
import SQLiteJournal
import Testing
import Wire
import ZeroMQ

/// Other code begins with a state: a planned stop writes a checkpoint at the head, and what another
/// build reduced since the last one is not reduced again by itself (J-11, J-12).
@Suite(.serialized) struct PlannedStopTests {
  private func journal(of system: RunningSystem) -> String {
    system.directory.file("journal.sqlite")
  }

  /// The records that a start would reduce again.
  private func tail(of system: RunningSystem) throws -> Int {
    let path = journal(of: system)
    let entries = try SQLiteJournal.entries(path: path, application: "pair")
    guard case .checkpoint(let covered, _)? = entries.last(where: \.isCheckpoint) else { return -1 }
    return entries.order.count { $0.sequence > covered }
  }

  private func add(_ numbers: Range<Int>, to system: RunningSystem) async throws {
    let client = try system.client()
    defer { client.close() }
    try await withDeadline {
      for number in numbers { _ = try await client.add(number, to: "/left") }
    }
  }

  @Test func `a router that is asked to stop writes a checkpoint at the head (J-12)`() async throws
  {
    let system = try RunningSystem()
    try await add(1..<20, to: system)
    let router = try #require(system.router)
    router.signal(SIGTERM)
    #expect(router.exitCode() == 0, "\(system.logs)")
    #expect(try tail(of: system) == 0, "\(system.logs)")
    #expect(try SQLiteJournal.verify(path: journal(of: system)).lastRecord == 19)
    // The features that go on find the next one.
    try system.startRouter()
    try await add(20..<30, to: system)
  }

  @Test func `the whole application in one process stops the same way (J-12)`() async throws {
    let directory = TemporaryDirectory()
    let process = try ChildProcess("pair", ["run", "--run-dir", directory.path])
    let client = ClientConnection(
      endpoint: try Endpoint(path: directory.file("router.sock")), name: "test")
    _ = try await withDeadline { try await client.add(1, to: "/left") }
    client.close()
    process.signal(SIGTERM)
    #expect(process.exitCode() == 0, "\(process.errors)")
    #expect(!process.errors.contains("no checkpoint at the head"), "\(process.errors)")
    let entries = try SQLiteJournal.entries(
      path: directory.file("journal.sqlite"), application: "pair")
    #expect(entries.contains { if case .checkpoint(1, _) = $0 { true } else { false } })
  }

  @Test func `another build is refused a tail that it did not reduce (J-11)`() async throws {
    let system = try RunningSystem()
    try await add(1..<20, to: system)
    for process in [system.router] + Array(system.features.values) { process?.signal(SIGKILL) }
    #expect(system.router?.exitCode() == 128 + SIGKILL)
    #expect(try tail(of: system) > 0)
    try system.startRouter()
    let other = try OtherBuild()
    let root = try system.startFeature("/", executable: other.path)
    #expect(root.exitCode() == 7, "\(system.logs)")
    #expect(root.errors.contains("code=build-mismatch"), "\(root.errors)")
    #expect(root.errors.contains("--replay-with-new-code"), "\(root.errors)")
    // The old build goes on; stopped as planned, it makes room for the new one.
    for scope in ["/", "/left", "/right"] { try system.startFeature(scope) }
    try await add(20..<25, to: system)
    system.router?.signal(SIGTERM)
    #expect(system.router?.exitCode() == 0)
    for process in system.features.values { process.signal(SIGKILL) }
    #expect(try tail(of: system) == 0, "\(system.logs)")
    try system.startRouter()
    for scope in ["/", "/left", "/right"] {
      try system.startFeature(scope, executable: other.path)
    }
    try await add(25..<30, to: system)
  }

  @Test func `who wants it lets new code reduce the tail again (J-11)`() async throws {
    let system = try RunningSystem(routerOptions: ["--replay-with-new-code"])
    try await add(1..<20, to: system)
    for process in [system.router] + Array(system.features.values) { process?.signal(SIGKILL) }
    #expect(system.router?.exitCode() == 128 + SIGKILL)
    try system.startRouter()
    let other = try OtherBuild()
    for scope in ["/", "/left", "/right"] {
      try system.startFeature(scope, executable: other.path)
    }
    try await add(20..<25, to: system)
    let builds = try SQLiteJournal.entries(path: journal(of: system), application: "pair")
      .compactMap { entry in if case .build(_, Path("/")!, let build) = entry { build } else { nil }
      }
    #expect(builds.count == 2 && Set(builds).count == 2, "\(builds)")
  }

  @Test func `one feature is replaced by a new build while the rest runs (J-12)`() async throws {
    let system = try RunningSystem()
    let other = try OtherBuild()
    let load = CrashTests.Load(try system.client("load"), scope: "/right", inFlight: 4)
    try await add(1..<20, to: system)
    let client = try system.client()
    let reply = try await withDeadline {
      try await client.request("checkpoint", Array("{\"hold\":\"/left\"}".utf8))
    }
    #expect(reply.status == 0, "\(String(decoding: reply.body, as: UTF8.self))")
    let left = try #require(system.features["/left"])
    left.signal(SIGTERM)
    #expect(left.exitCode() == 0)
    try system.startFeature("/left", executable: other.path)
    let state = try await withDeadline {
      _ = try await client.add(20, to: "/left")
      return try await client.state(at: "/left") { $0.contains("\"sum\":210") }
    }
    #expect(state.contains("\"sum\":210"))
    _ = try await load.finish()
    #expect(load.count > 0)
    #expect(system.features["/left"]?.errors.contains("build-mismatch") == false)
    client.close()
  }

  @Test func `what can't be held is said`() async throws {
    let system = try RunningSystem()
    try await add(1..<2, to: system)
    let client = try system.client()
    let unknown = try await client.request("checkpoint", Array("{\"hold\":\"/none\"}".utf8))
    #expect(unknown.status == ErrorCode.unknownPath.rawValue)
    let plain = try await withDeadline { try await client.request("checkpoint") }
    #expect(plain.status == 0)
    #expect(try tail(of: system) == 0)
    client.close()
  }
}

/// A copy of the application with another build id, and other code: a `pair` called `pair-new`.
final class OtherBuild {
  private let directory = TemporaryDirectory()
  var path: String { directory.file("pair-new") }

  init() throws {
    var bytes = try #require(ChildProcess.bytes(of: "\(ChildProcess.productsDirectory)/pair"))
    // The note of the linker: name of 4 bytes, id of 20, type 3, "GNU".
    let note: [UInt8] = [4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 71, 78, 85, 0]
    let place = try #require(
      (0..<min(bytes.count, 1 << 16)).first { bytes[$0...].starts(with: note) })
    bytes[place + note.count] ^= 0xFF
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o700)
    let count = write(file, bytes, bytes.count)
    close(file)
    #expect(count == bytes.count)
    // A process that another test starts just now may still have the file open for writing.
    let path = path
    let isRunnable = eventually(within: 10) { (try? ChildProcess(path, ["--version"])) != nil }
    #expect(isRunnable)
  }
}

extension JournalEntry {
  fileprivate var isCheckpoint: Bool { if case .checkpoint = self { true } else { false } }
}
