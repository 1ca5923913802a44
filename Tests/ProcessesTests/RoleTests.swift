import Glibc
import PenstockCore
import Platform
import Processes
import ProcessSupport
import Testing
import Wire
import ZeroMQ

@Suite(.serialized) struct RoleTests {
  @Test func `a feature maps neither SQLite nor an HTTP library`() async throws {
    let system = try RunningSystem()
    let client = try system.client()
    _ = try await withDeadline { try await client.add(1, to: "/left") }
    for (scope, process) in system.features {
      let maps = ChildProcess.contents(of: "/proc/\(process.processID)/maps")
      #expect(maps.contains("libzmq"))
      #expect(!maps.contains("sqlite") && !maps.contains("curl"), "\(scope)")
    }
    let router = try #require(system.router)
    #expect(ChildProcess.contents(of: "/proc/\(router.processID)/maps").contains("sqlite"))
    client.close()
  }

  @Test func `a process ends when its lifeline does`() throws {
    let directory = TemporaryDirectory()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    #expect(fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
    let arguments = ["--run-dir", directory.path, "--lifeline-fd", "\(ends[0])"]
    let processes = [
      try ChildProcess("penstock-router", arguments),
      try ChildProcess("pair", ["feature", "/left"] + arguments),
      try ChildProcess("pair", ["worker"] + arguments),
    ]
    close(ends[0])
    #expect(eventually { FileLock.holder(of: directory.file("router.lock")) != nil })
    for process in processes { #expect(process.isRunning) }
    close(ends[1])
    for process in processes { #expect(process.exitCode() == 0, "\(process.errors)") }
  }

  @Test func `a second router and a second process of a path are refused`() throws {
    let system = try RunningSystem()
    #expect(eventually { FileLock.holder(of: system.directory.file("router.lock")) != nil })
    let second = try ChildProcess("penstock-router", ["--run-dir", system.directory.path])
    #expect(second.exitCode() == 6)
    #expect(second.errors.contains("is running already, as process"))
    #expect(eventually { FileLock.holder(of: system.directory.file("feature:left.lock")) != nil })
    let feature = try ChildProcess(
      "pair", ["feature", "/left", "--run-dir", system.directory.path])
    #expect(feature.exitCode() == 6)
    #expect(feature.errors.contains("a process for /left is running already"))
  }

  @Test func `a worker that is asked to stop finishes what it runs`() async throws {
    let system = try RunningSystem()
    let client = try system.client()
    _ = try await withDeadline {
      try await client.submit(
        Path("/left")!, Array("{\"askTwice\":{\"_0\":5,\"milliseconds\":3000}}".utf8))
    }
    // That it runs is known from its first answer: what is only on its way to the worker when that is
    // asked to stop, is handed back. The second must not come before the first is seen, however slow
    // other tests make this one.
    _ = try await withDeadline {
      try await client.state(at: "/left") { $0.contains("\"answers\":[5]") }
    }
    let worker = try #require(system.workers["worker-1"])
    worker.signal(SIGTERM)
    _ = try await withDeadline {
      try await client.state(at: "/left") { $0.contains("\"answers\":[5,5]") }
    }
    #expect(worker.exitCode() == 0, "\(worker.errors)")
    client.close()
  }

  @Test func `the whole application runs in one process on the same socket`() async throws {
    let directory = TemporaryDirectory()
    let process = try ChildProcess(
      "pair", ["run", "--run-dir", directory.path, "--no-durability"])
    let client = ClientConnection(
      endpoint: try Endpoint(path: directory.file("router.sock")), name: "test")
    _ = try await withDeadline {
      try await client.submit(
        Path("/left")!, Array("{\"ask\":{\"_0\":5,\"milliseconds\":1}}".utf8))
    }
    _ = try await withDeadline {
      try await client.state(at: "/") { $0.contains("\"answers\":[5]") }
    }
    client.close()
    process.signal(SIGTERM)
    #expect(process.exitCode() == 0, "\(process.errors)")
    #expect(access(directory.file("router.sock"), F_OK) != 0, "the socket is left behind")
  }

  @Test(arguments: [
    (["feature"], "PATH is missing"), (["feature", "/nope"], "pair has no feature at /nope"),
    (["feature", "left"], "\"left\" is not a path"),
    (["worker", "--slots", "0"], "--slots 0 is not a number from 1 to 10000"),
    (["worker", "--wat"], "has no option --wat"), (["worker", "--slots"], "--slots needs a value"),
    (["dance"], "\"dance\" is no role"), ([], "no role is named"),
  ])
  func `wrong usage ends with 2 and says what is wrong`(arguments: [String], message: String) throws
  {
    let process = try ChildProcess("pair", arguments)
    #expect(process.exitCode() == 2)
    #expect(process.errors.contains(message), "\(process.errors)")
  }

  @Test(arguments: ["worker", "run", "describe"])
  func `a dependency that is none is refused with the role's own usage`(role: String) throws {
    let directory = TemporaryDirectory()
    let place = role == "describe" ? [] : ["--run-dir", directory.path]
    let process = try ChildProcess("pair", [role, "--set", "Nothing=1"] + place)
    #expect(process.exitCode() == 2)
    #expect(
      process.errors == """
        pair \(role): --set takes NAME=TEXT with a NAME of: none of this application; not Nothing=1
          usage: pair \(role) [OPTIONS]; --set may be repeated

        """)
    let help = try ChildProcess("pair", [role, "--help"])
    #expect(help.exitCode() == 0)
    let line = help.output.split(separator: "\n").first { $0.contains("--set NAME=TEXT") }
    #expect(line?.contains("may be repeated") == true, "\(help.output)")
  }

  @Test func `too few files are refused with what to do`() throws {
    let directory = TemporaryDirectory()
    let router = "\(ChildProcess.productsDirectory)/penstock-router"
    let shell = try ChildProcess(
      "/bin/sh", ["-c", "ulimit -n 64; exec \(router) --run-dir \(directory.path)"])
    #expect(shell.exitCode() == 6)
    #expect(shell.errors.contains("only 64 files may be open, and at least 256 are needed"))
  }

  @Test func `a run directory with too long a path is refused`() throws {
    let directory = TemporaryDirectory()
    let path = directory.file(String(repeating: "a", count: 100))
    let router = try ChildProcess("penstock-router", ["--run-dir", path])
    #expect(router.exitCode() == 6)
    #expect(router.errors.contains("bytes, and the system takes 107 at most"))
  }
}
