import CSystem
import Glibc
import Machines
import Penstock
import PenstockCore
import PenstockRuntime
import PenstockTesting
import Platform
import Processes
import SQLiteJournal
import Wire
import ZeroMQ

/// A router, a process for each placed scope, and this process as client, tap and the only worker; in
/// a directory of their own, which goes away with them.
final class SystemUnderTest {
  private enum Event: Sendable {
    case record(Bytes)
    case settled(Result<ClientOutcome, ClientConnection.Ended>)
    case assigned(Assignment)
    case cancelled(EffectID)
    case replied(Result<ClientConnection.Reply, ClientConnection.Ended>)
    case failed(String)
  }

  /// How long nothing may happen before it counts as a failure.
  private static let patience: Int64 = 20_000_000

  /// Order time stands still until the test moves it.
  let time: ManualTime
  /// Actions of the tap that nobody has taken yet.
  var actions: [CapturedAction] = []
  private(set) var assignments: [EffectID: Assignment] = [:]
  /// Operations that were assigned, and neither ended here nor were cancelled.
  private(set) var running: Set<EffectID> = []
  private let application: String
  private let directory: RunDirectory
  private let logFile: Int32
  private let events = Inbox<Event>()
  private let router: LoopInThread
  private let worker: LoopInThread
  private let tap: TapFollower
  private let client: ClientConnection
  private let work: AnsweredWork
  private var features: [(path: Path, process: SpawnedProcess)] = []
  private var outcome: Result<ClientOutcome, ClientConnection.Ended>?
  private var reply: Result<ClientConnection.Reply, ClientConnection.Ended>?
  private var failure: String?
  private var hasProcessRecord = false

  init(
    _ description: ApplicationDescription, executable: String, scopes: [Path], queues: [String],
    first: FirstState?, now: Int64
  ) throws {
    let time = ManualTime(now)
    self.time = time
    let events = events
    application = description.name
    directory = try SystemUnderTest.makeDirectory()
    let logs = "\(directory.path)/log"
    let logFile = open(logs, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard logFile >= 0 else { throw SystemError.last("can't write \(logs)") }
    self.logFile = logFile
    var options = RouterProcess.Options(directory: directory, application: description.name)
    options.placement = scopes
    options.durability = .processOnly
    options.orderTime = { time.now }
    try first?.write(journal: options.journal, application: description.name)
    router = LoopInThread("router") { [options] in
      RouterProcess.run(
        options, supervision: $0, log: Log(name: "router", file: logFile))
    }
    tap = TapFollower(
      try Endpoint(path: directory.tapSocket), take: { events.put(.record($0)) },
      failed: { events.put(.failed($0)) })
    client = ClientConnection(
      endpoint: try Endpoint(path: directory.routerSocket), name: "test",
      application: description.name, schemaHash: description.schemaHash)
    let work = AnsweredWork(
      assigned: { events.put(.assigned($0)) }, cancelled: { events.put(.cancelled($0)) })
    self.work = work
    var duties = WorkerProcess.Options(directory: directory, name: "test")
    duties.slots = 10_000
    duties.queues = queues
    duties.grace = 0
    worker = LoopInThread("worker") { [duties] in
      WorkerProcess.run(
        duties, description: description, work: work, supervision: $0,
        log: Log(name: "worker", file: logFile))
    }
    try waitForTap()
    for scope in scopes {
      let arguments =
        ["feature", scope.description, "--run-dir", directory.path]
        + scopes.flatMap { ["--place", $0.description] }
      features.append((scope, try SpawnedProcess(executable, arguments, log: logs)))
    }
    try waitUntilReady(scopes)
  }

  deinit {
    worker.stop()
    client.close()
    // While the features are there: a router that ends wants a checkpoint of them.
    router.stop()
    tap.stop()
    features = []
    close(logFile)
    SystemUnderTest.remove(directory.path)
  }

  // MARK: What the test does

  /// - Returns: the action's number.
  func submit(_ path: Path, _ payload: Bytes) throws(TestEngineFailure) -> UInt64 {
    outcome = nil
    let events = events
    client.submit([ClientConnection.Action(path: path, payload: payload)]) { _, result in
      events.put(.settled(result))
    }
    try wait("the router's word on an action") { () throws(TestEngineFailure) -> Bool in
      outcome != nil
    }
    switch outcome {
    case .success(let outcome):
      switch outcome.status {
      case .committed(let sequence, _), .void(let sequence, _): return sequence
      case .refused(let refusal):
        throw TestEngineFailure(
          "The router refused the action: \(refusal.message) [\(refusal.code.word)]")
      }
    case .failure(let ended): throw TestEngineFailure("The router is gone: \(ended)")
    case nil: throw TestEngineFailure("The router said nothing.")
    }
  }

  /// Asks the router, and gives what it answers.
  func request(_ verb: String, _ body: String) throws(TestEngineFailure) -> Bytes {
    reply = nil
    let events = events
    client.request(verb, Bytes(body.utf8)) { events.put(.replied($0)) }
    try wait("an answer to \(verb)") { () throws(TestEngineFailure) -> Bool in reply != nil }
    guard case .success(let reply)? = reply, reply.status == 0 else {
      throw TestEngineFailure("The router can't answer \(verb): \(String(describing: reply))")
    }
    return reply.body
  }

  /// Says what became of an operation that was assigned.
  func report(_ given: GivenResult, of id: EffectID) {
    guard let attempt = assignments[id]?.attempt else { return }
    if case .output(_, isFinal: false) = given {} else { running.remove(id) }
    switch given {
    case .output(let bytes, let isFinal):
      work.reports.put(.produced(id, attempt, bytes, isFinal: isFinal, nil))
    case .failure(let failure):
      // All attempts are over: the test says what comes in the end.
      work.reports.put(
        .ended(
          id, attempt,
          .failed(code: failure.code, message: failure.message, isRetryable: false)))
    case .finished: work.reports.put(.ended(id, attempt, .finished))
    case .cancelled: work.reports.put(.ended(id, attempt, .cancelled))
    }
  }

  // MARK: Waiting

  /// Takes what comes until the condition holds. Nothing is asked again and again: each event is one
  /// of the protocol, and too long a silence is a failure.
  func wait(
    _ what: String, until isDone: () throws(TestEngineFailure) -> Bool
  ) throws(TestEngineFailure) {
    var deadline = SystemClock.monotonic + Self.patience
    while !(try isDone()) {
      let news = events.wait(milliseconds: 100)
      for event in news ?? [] { try take(event) }
      if let failure {
        throw TestEngineFailure("The system of processes failed: \(failure).\(logs)")
      }
      if news != nil {
        deadline = SystemClock.monotonic + Self.patience
        continue
      }
      for (path, process) in features {
        if let code = process.exitCode {
          throw TestEngineFailure("The process of \(path) ended with code \(code).\(logs)")
        }
      }
      guard SystemClock.monotonic < deadline else {
        throw TestEngineFailure(
          """
          The test waited for \(what), and nothing came for \(Self.patience / 1_000_000) seconds.\(logs)
          """)
      }
    }
  }

  private func take(_ event: Event) throws(TestEngineFailure) {
    switch event {
    case .record(let line):
      if line.starts(with: #"{"v":1,"k":"process""#.utf8) { hasProcessRecord = true }
      do {
        let action = try CapturedAction(line) { sequence throws(JSONError) in
          try self.journaled(sequence)
        }
        if let action { actions.append(action) }
      } catch {
        throw TestEngineFailure("The tap's record can't be used: \(error.message).")
      }
    case .settled(let result): outcome = result
    case .assigned(let assignment):
      assignments[assignment.effect] = assignment
      running.insert(assignment.effect)
    case .cancelled(let effect): running.remove(effect)
    case .replied(let result): reply = result
    case .failed(let text): failure = text
    }
  }

  /// The payload of a record that is too large for the tap; what the tap shows is journaled.
  private func journaled(_ sequence: UInt64) throws(JSONError) -> Bytes {
    let order: [OrderRecord]
    do {
      order = try SQLiteJournal.entries(path: directory.journal, application: application).order
    } catch {
      throw JSONError(offset: 0, message: error.message)
    }
    guard let record = order.first(where: { $0.sequence == sequence }) else {
      throw JSONError(offset: 0, message: "the journal has no record \(sequence)")
    }
    return record.payload
  }

  /// Lets the router look at the time.
  func moveTime(to moment: Int64) throws(TestEngineFailure) {
    time.move(to: moment)
    _ = try request("ready", "{\"features\":[],\"workers\":0}")
  }

  // MARK: Starting

  /// A tap gets what is published after it subscribed, and nobody tells it when that is: clients come
  /// until the record of one is seen.
  private func waitForTap() throws(TestEngineFailure) {
    let endpoint: Endpoint
    do {
      endpoint = try Endpoint(path: directory.routerSocket)
    } catch {
      throw TestEngineFailure(error.message)
    }
    let deadline = SystemClock.monotonic + Self.patience
    while !hasProcessRecord {
      let visitor = ClientConnection(endpoint: endpoint, name: "visitor")
      for event in events.wait(milliseconds: 50) ?? [] { try take(event) }
      visitor.close()
      guard SystemClock.monotonic < deadline, failure == nil else {
        throw TestEngineFailure("The router's tap says nothing.\(logs)")
      }
    }
  }

  private func waitUntilReady(_ scopes: [Path]) throws(TestEngineFailure) {
    let names = scopes.map { "\"\($0)\"" }.joined(separator: ",")
    var isReady = false
    try wait("all processes") { () throws(TestEngineFailure) -> Bool in
      if isReady { return true }
      let answer = try request("ready", "{\"features\":[\(names)],\"workers\":1}")
      isReady = answer.starts(with: #"{"ready":true"#.utf8)
      return isReady
    }
  }

  /// Record 0, which no tap shows. Readiness does not wait until it is written.
  func initialRecord() throws -> OrderRecord {
    let deadline = SystemClock.monotonic + Self.patience
    while SystemClock.monotonic < deadline {
      let entries = try SQLiteJournal.entries(path: directory.journal, application: application)
      if let first = entries.order.first { return first }
      for event in events.wait(milliseconds: 5) ?? [] { try take(event) }
    }
    throw TestEngineFailure("The journal has no record 0.\(logs)")
  }

  /// The end of what the processes said.
  private var logs: String {
    let lines = SystemUnderTest.lines(of: "\(directory.path)/log").suffix(20)
    return lines.isEmpty
      ? ""
      : "\n\nThe last lines of their log:\n\n" + lines.map { "    \($0)" }.joined(separator: "\n")
  }

  private static func lines(of path: String) -> [Substring] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: Bytes = []
    var buffer = Bytes(repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  /// Short, because the paths of sockets are.
  private static func makeDirectory() throws -> RunDirectory {
    var template = Array("/tmp/penstock-test-XXXXXX".utf8CString)
    guard template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) != nil else {
      throw SystemError.last("can't make a directory in /tmp")
    }
    return RunDirectory(path: template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
  }

  private static func remove(_ path: String) {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
      closedir(directory)
    }
    Glibc.remove(path)
  }
}
