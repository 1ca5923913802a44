import Glibc
import Penstock
import PenstockRuntime
import Processes
import ProcessSupport
import Testing

@testable import pair

/// What a program is told that can't connect.
@Suite(.serialized) struct StoreErrorTests {
  /// Another application.
  struct OtherApplication: PenstockApp {
    static let name = "other"
    var root: Tally { Tally() }
    var initialState: Tally.State { Tally.State() }
  }

  /// Another build of the pair application.
  struct OtherBuild: PenstockApp {
    static let name = "pair"
    var root: Tally { Tally() }
    var initialState: Tally.State { Tally.State() }
  }

  private func failure<App: PenstockApp>(
    _ app: App, _ address: String, timeout: Duration = .seconds(10)
  ) async -> StoreError? {
    await #expect(throws: StoreError.self) {
      _ = try await withDeadline {
        try await Store.connect(app, to: address, timeout: timeout)
      }
    }
  }

  @Test func `nobody is there`() async throws {
    let directory = TemporaryDirectory()
    let never = await failure(PairApplication(), directory.path, timeout: .milliseconds(50))
    #expect(never?.code == .notRunning)
    #expect(
      never?.message
        == """
        no router was started in \(directory.path); start the system, or name its run directory
        """)
    let missing = directory.file("nowhere")
    let nowhere = await failure(PairApplication(), missing, timeout: .milliseconds(50))
    #expect(nowhere?.code == .notRunning)
    #expect(nowhere?.message.hasPrefix("there is no directory \(missing)") == true)
    let endpoint = await failure(
      PairApplication(), "ipc://\(directory.file("other.sock"))", timeout: .milliseconds(50))
    #expect(endpoint?.code == .notRunning)
  }

  @Test(arguments: ["/" + String(repeating: "a", count: 120), "relative", "udp://127.0.0.1:1"])
  func `an address that can't be one is refused at once`(address: String) async {
    let error = await failure(PairApplication(), address)
    #expect(error?.code == .invalidAddress)
    #expect(error?.description.hasSuffix("[invalid-address]") == true)
  }

  @Test func `the router is gone`() async throws {
    let system = try RunningSystem()
    let router = try #require(system.router)
    #expect(eventually { access(system.directory.file("router.sock"), F_OK) == 0 })
    router.signal(SIGKILL)
    #expect(router.exitCode() == 128 + SIGKILL)
    let error = await failure(
      PairApplication(), system.directory.path, timeout: .milliseconds(50))
    #expect(error?.code == .notRunning)
    #expect(error?.message.contains("process \(router.processID), is gone") == true)
  }

  @Test func `the features are missing`() async throws {
    let system = try RunningSystem(scopes: [], workers: 0)
    let error = await failure(
      PairApplication(), system.directory.path, timeout: .milliseconds(2_000))
    #expect(error?.code == .notReady, "\(String(describing: error)) \(system.logs)")
  }

  @Test func `another application or another build`() async throws {
    let system = try RunningSystem()
    _ = try await Store.connect(
      PairApplication(), to: system.directory.path, timeout: .seconds(20))
    let other = await failure(OtherApplication(), system.directory.path)
    #expect(other?.code == .wrongApplication)
    #expect(other?.message == "this router runs pair, the process is of other")
    let build = await failure(OtherBuild(), system.directory.path)
    #expect(build?.code == .schemaMismatch)
    #expect(build?.message.contains("start all processes from one build") == true)
  }

  @Test func `a connection that ends says so to everything that waits`() async throws {
    let system = try RunningSystem(scopes: ["/"], workers: 0)
    let store = try await Store.connect(
      PairApplication(), to: system.directory.path, timeout: .seconds(20))
    try await withDeadline { try await store.send(.left(.add(1))).committed() }
    system.router?.signal(SIGKILL)
    #expect(system.router?.exitCode() == 128 + SIGKILL)
    let task = store.send(.left(.add(2)))
    async let wait = withDeadline { try await store.wait { $0.total == 3 } }
    // Another application takes the place.
    system.router = try ChildProcess(
      "penstock-router",
      [
        "--run-dir", system.directory.path, "--app", "other", "--journal",
        system.directory.file("other.sqlite"),
      ])
    let unknown = await #expect(throws: StoreError.self) {
      try await withDeadline { try await task.committed() }
    }
    #expect(unknown?.code == .unknown)
    #expect(
      unknown?.message == """
        whether the action at /left was applied is not known: this router runs other, the process is \
        of pair
        """)
    do {
      _ = try await wait
      Issue.record("the state came from nowhere")
    } catch let error as StoreError {
      #expect(error.code == .wrongApplication)
    }
    let later = await #expect(throws: StoreError.self) {
      try await store.send(.left(.add(3))).committed()
    }
    #expect(later?.code == .wrongApplication)
    #expect(store.state.total == 1)
    #expect(store.diagnostics == ["\(unknown!)"])
  }

  @Test func `another build is found out when the features come later`() async throws {
    let system = try RunningSystem(scopes: [], workers: 0)
    let path = system.directory.path
    async let error = failure(OtherBuild(), path, timeout: .seconds(15))
    let client = try system.client("watch")
    let isThere = try await waitUntil {
      let reply = try await client.request("ps")
      return String(decoding: reply.body, as: UTF8.self).contains("\"clients\":2")
    }
    #expect(isThere)
    try system.startFeature("/")
    #expect(await error?.code == .schemaMismatch)
    client.close()
  }
}
