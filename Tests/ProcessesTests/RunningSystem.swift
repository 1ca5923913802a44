import Glibc
import Penstock
import PenstockCore
import Processes
import ProcessSupport
import Wire
import ZeroMQ

/// The pair application, or another one, as real processes in a directory of its own, which all end with this value.
final class RunningSystem {
  let directory = TemporaryDirectory()
  var router: ChildProcess?
  var features: [String: ChildProcess] = [:]
  var workers: [String: ChildProcess] = [:]
  private let application: String
  private let scopes: [String]
  private let routerOptions: [String]

  /// - Parameter scopes: the placed features; the root is one of them always.
  init(
    _ application: String = "pair", scopes: [String] = ["/", "/left", "/right"],
    workers count: Int = 1,
    routerOptions: [String] = ["--no-durability"]
  ) throws {
    self.application = application
    self.scopes = scopes
    self.routerOptions = routerOptions
    try startRouter()
    for scope in scopes { try startFeature(scope) }
    for number in 0..<count { try startWorker("worker-\(number + 1)") }
  }

  private var places: [String] { scopes.flatMap { ["--place", $0] } }

  func startRouter() throws {
    router = try ChildProcess(
      "penstock-router",
      ["--run-dir", directory.path, "--app", application] + places + routerOptions)
  }

  /// - Parameter executable: another build of the application.
  @discardableResult
  func startFeature(_ scope: String, executable: String? = nil) throws -> ChildProcess {
    let process = try ChildProcess(
      executable ?? application, ["feature", scope, "--run-dir", directory.path] + places)
    features[scope] = process
    return process
  }

  func startWorker(_ name: String, slots: Int = 4) throws {
    workers[name] = try ChildProcess(
      application,
      ["worker", "--run-dir", directory.path, "--name", name, "--slots", "\(slots)"])
  }

  func client(_ name: String = "test") throws -> ClientConnection {
    ClientConnection(
      endpoint: try Endpoint(path: directory.file("router.sock")), name: name)
  }

  /// What the processes said, for the message of a failed expectation.
  var logs: String {
    var all = features.merging(workers) { $1 }
    all["router"] = router
    return all.sorted { $0.key < $1.key }.map { "--- \($0.key)\n\($0.value.errors)" }
      .joined(separator: "\n")
  }
}

/// Fails instead of waiting for ever, also when what it waits for can't be cancelled.
@discardableResult
func withDeadline<Value: Sendable>(
  seconds: Double = 20, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let (results, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
  let work = Task {
    do {
      continuation.yield(try await body())
      continuation.finish()
    } catch {
      continuation.finish(throwing: error)
    }
  }
  let clock = Task {
    try await Task.sleep(for: .seconds(seconds))
    continuation.finish(throwing: TimedOut(seconds: seconds))
  }
  defer {
    work.cancel()
    clock.cancel()
  }
  for try await value in results { return value }
  throw CancellationError()
}

struct TimedOut: Error { var seconds: Double }

extension ClientConnection {
  func add(_ number: Int, to scope: String) async throws -> ClientOutcome {
    try await submit(Path(scope)!, Array("{\"add\":\(number)}".utf8))
  }

  /// Waits until the state at the path is as wanted, and gives it.
  func state(at path: String, where isWanted: @Sendable (String) -> Bool) async throws -> String {
    for try await state in states(of: Path(path)!) {
      let text = String(decoding: state.value ?? Array("null".utf8), as: UTF8.self)
      if isWanted(text) { return text }
    }
    throw CancellationError()
  }
}

/// The integers of an array that a state holds as a member.
func integers(_ member: String, in state: String) -> [Int] {
  guard let start = state.firstRange(of: "\"\(member)\":[")?.upperBound else { return [] }
  return state[start...].prefix { $0 != "]" }.split(separator: ",").compactMap { Int($0) }
}

/// How often each number was added, by a tally's state.
func additions(in state: String) -> [Int: Int] {
  var times: [Int: Int] = [:]
  for part in state.split(separator: "{\"id\":").dropFirst() {
    let numbers = part.split { !$0.isNumber && $0 != "-" }.prefix(2).compactMap { Int($0) }
    if numbers.count == 2 { times[numbers[0], default: 0] += numbers[1] }
  }
  return times
}
