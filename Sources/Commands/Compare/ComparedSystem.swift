import Glibc
import Machines
import PenstockCore
import Platform
import Wire
import ZeroMQ

/// A system of real processes that `compare` starts, feeds and stops.
final class ComparedSystem {
  struct Parts {
    var application: String
    var router: String
    /// The scopes that have processes of their own.
    var scopes: [String]
    var workers: Int
    var window: String?
  }

  /// The merged state at a moment at which nothing was on its way.
  struct Rest {
    var asOf: UInt64
    var state: Bytes
    /// The router's answer to `ps` at that moment.
    var report: JSONValue
    /// Some of the states that were published on the way.
    var published: PublishedStates
  }

  private let parts: Parts
  private let connection: RouterConnection
  private let router: SpawnedProcess
  private var others: [SpawnedProcess] = []
  private var published = PublishedStates()
  private var following: UInt32?

  /// - Parameter journal: where the order is kept, or is already.
  init(
    _ parts: Parts, directory: RunDirectory, journal: String, logs: String,
    supervision: Supervision, context: Context
  ) throws {
    self.parts = parts
    try directory.make()
    let places = parts.scopes.flatMap { ["--place", $0] }
    let common = ["--run-dir", directory.path]
    router = try SpawnedProcess(
      parts.router,
      common + places + ["--journal", journal] + (parts.window.map { ["--window", $0] } ?? []),
      log: logs)
    for scope in parts.scopes {
      others.append(
        try SpawnedProcess(parts.application, ["feature", scope] + common + places, log: logs))
    }
    for number in 0..<parts.workers {
      others.append(
        try SpawnedProcess(
          parts.application, ["worker", "--name", "worker-\(number + 1)"] + common, log: logs))
    }
    connection = try RouterConnection(directory, supervision: supervision, context: context)
  }

  /// From now on everything together may take this long.
  func allow(_ duration: Duration) { connection.allow(duration) }

  func waitUntilReady() throws {
    let features = parts.scopes.map(JSONValue.string)
    let question = JSONValue.object([
      .init(name: "features", value: .array(features)),
      .init(name: "workers", value: .number("\(parts.workers)")),
    ]).compact
    while !(try connection.request("ready", question)["ready"].isTrue) {
      _ = try poll(milliseconds: 20)
    }
  }

  /// Sends the actions in their order, each at its time, and waits for the last word on each.
  /// - Returns: how many were refused.
  func play(_ list: ActionList) throws -> Int {
    var settled = 0
    var submitted = 0
    var refusals = 0
    func take(_ event: ClientOutput?) {
      note(event)
      guard case .settled(_, let outcome) = event else { return }
      settled += 1
      if case .refused = outcome.status { refusals += 1 }
    }
    following = connection.subscribe(.root)
    var due = SystemClock.monotonic
    for action in list.actions {
      if action.milliseconds >= ActionList.pause {
        while settled < submitted { take(try connection.next()) }
        due = SystemClock.monotonic
      }
      due += action.milliseconds * 1000
      while true {
        let now = SystemClock.monotonic
        let isFull = submitted - settled >= ClientMachine.window
        if now >= due, !isFull { break }
        take(try poll(milliseconds: isFull ? 20 : Int((due - now) / 1000) + 1))
      }
      _ = connection.submit(action.path, action.payload)
      submitted += 1
      while let event = try poll(milliseconds: 0) { take(event) }
    }
    while settled < submitted { take(try connection.next()) }
    return refusals
  }

  private func note(_ event: ClientOutput?) {
    guard case .state(following, let asOf, let bytes?) = event else { return }
    published.add(bytes, asOf: asOf)
  }

  /// Waits until everything is committed and, where there are workers, no operation is left.
  func rest(after sequence: UInt64 = 0) throws -> Rest {
    while true {
      let report = try connection.request("ps")
      let effects =
        parts.workers > 0 ? try connection.request("effects")["effects"].elements : []
      if let committed = report["committed"].integer, committed >= sequence,
        report["numbered"].integer == committed, report["waiting"].integer == 0,
        effects.allSatisfy({ $0["state"].text == "timer" }),
        let state = try state(), state.asOf == UInt64(committed)
      {
        return Rest(
          asOf: state.asOf, state: state.bytes, report: report, published: published)
      }
      _ = try poll(milliseconds: 20)
    }
  }

  /// The state as a reader gets it who comes now.
  private func state() throws -> (asOf: UInt64, bytes: Bytes)? {
    let wanted = connection.subscribe(.root)
    while true {
      let event = try connection.next()
      note(event)
      guard case .state(wanted, let asOf, let bytes) = event else { continue }
      return bytes.map { (asOf, $0) }
    }
  }

  private func poll(milliseconds: Int) throws -> ClientOutput? {
    let event = try connection.poll(milliseconds: milliseconds)
    if event == nil {
      for process in [router] + others {
        if let code = process.exitCode {
          throw CommandFailure(
            .negative, "PS-K05",
            "process \(process.processID) of the system ended with code \(code)")
        }
      }
      if SystemClock.monotonic >= connection.deadline {
        throw CommandFailure(
          .timedOut, "PS-K06", "the system does not come to rest in time",
          "Give it more time with --timeout DURATION")
      }
    }
    return event
  }

  /// The router first: what it wrote is the order.
  func stop() {
    connection.close()
    router.signal(SIGTERM)
    router.wait(milliseconds: 5_000)
    for process in others { process.signal(SIGTERM) }
    for process in others { process.wait(milliseconds: 3_000) }
  }
}
