import Machines
package import Penstock
package import PenstockCore
package import Platform

/// A stretch of an order as the source of a test with a `TestStore`.
///
/// What came from outside is played in the order in which it was recorded: clients' actions, what
/// operations gave, ticks. What followed from it is received as the test store makes it, and the states
/// are those of this build.
package struct SwiftTest<App: PenstockApp> {
  private struct Queued {
    var path: Path
    var payload: Bytes
    var origin: Origin
    var time: Int64
    var correlation: UInt64
    /// Its number in the recording, when it stands there.
    var recorded: UInt64?
    /// Why the recording set it aside.
    var mark: VoidReason?
  }

  /// A send by what made it.
  private struct Sending: Hashable {
    var cause: UInt64
    var index: UInt32
  }

  private let application: Application<App>
  private let order: [OrderRecord]
  private var replay: OrderReplay<App>
  private var queue: [Queued] = []
  private var lines: [String] = []
  /// The test's numbers of recorded actions.
  private var numbers: [UInt64: UInt64] = [:]
  /// The recording's numbers of the test's actions.
  private var originals: [UInt64: UInt64] = [:]
  private var sends: [Sending: OrderRecord] = [:]
  private var names: [EffectID: String] = [:]
  private var answered: Set<EffectID> = []
  private var ticks: [EffectID: (recorded: Int, made: Int, last: Int64)] = [:]
  /// Order time as the test store has it.
  private var now: Int64 = 0
  private var lastNow: Int64 = 0
  private var uuids = 0
  /// Whether the test begins as the application does.
  private let isInitial: Bool
  /// Of the recording, the record whose consequences are played.
  private var playing: UInt64 = 0
  /// A test store would reduce what the recording set aside: the test ends before that.
  private var isOver = false
  private let progress: ReplayProgress?

  /// - Parameters:
  ///   - order: from record 0 on, also beyond the stretch: what became of sends stands there.
  ///   - first: the first record of the stretch.
  ///   - last: its last record.
  /// - Throws: `Divergence` when this build can't reduce the order.
  package static func source(
    of application: Application<App>, _ order: [OrderRecord], from first: UInt64 = 1,
    through last: UInt64 = .max, progress: ReplayProgress? = nil
  ) throws(Divergence) -> String {
    progress?.subject = .record(0)
    guard let initial = order.first else {
      throw Divergence(sequence: 0, message: "The order is empty.")
    }
    var recorded = try OrderReplay(application, initial: initial)
    for record in order.dropFirst() where record.sequence < first {
      progress?.subject = .record(record.sequence)
      _ = try recorded.apply(record)
    }
    var test = try SwiftTest(
      application, order.filter { $0.sequence >= max(1, first) }, through: last,
      state: recorded.state, progress)
    try test.play()
    progress?.subject = nil
    return test.text(beginning: recorded.state)
  }

  private init(
    _ application: Application<App>, _ order: [OrderRecord], through last: UInt64,
    state: App.Root.State, _ progress: ReplayProgress?
  ) throws(Divergence) {
    self.application = application
    self.order = order.filter { $0.sequence <= last }
    self.progress = progress
    var replacements = InputReplacements()
    replacements.uuid = InputReplacements.counted
    let inputs = TransitionInputs(now: 0, seed: 0, isQuiet: true, replacements: replacements)
    let fresh = inputs.run { application.app.initialState }
    isInitial =
      order.first?.sequence ?? 1 == 1
      && JSONWriter.bytes(of: fresh) == JSONWriter.bytes(of: state)
    uuids = isInitial ? inputs.uuids : 0
    replay = try OrderReplay(
      application,
      from: OrderCut(
        sequence: 0, state: JSONWriter.bytes(of: state), living: [:], mounts: [:]))
    for record in order {
      if case .send(let cause, let index) = record.origin {
        sends[Sending(cause: cause, index: index)] = record
      }
    }
  }

  // MARK: Playing

  private mutating func play() throws(Divergence) {
    for (index, record) in order.enumerated() {
      if isOver { return }
      playing = record.sequence
      if let mark = record.mark {
        let remark = "Record \(record.sequence) was set aside: \(mark.word)."
        if isTickToCome(record) { end(remark) } else { lines.append("// \(remark)") }
        continue
      }
      switch record.origin {
      case .initial, .retry: break
      case .client: try send(record, after: index)
      case .send(let cause, _):
        if numbers[cause] == nil { try send(record, after: index, "sent by what was before") }
      case .output(let effect, _, let isFinal):
        try take(record, of: effect, isFinal: isFinal, after: index)
      case .end(let effect):
        guard let id = own(effect), replay.living[id] != nil, let name = names[id] else { break }
        lines.append("await \(name).answer(.cancelled)")
        queue.append(queued(record, .end(effect: id)))
      case .timer(let effect, _): try tick(record, of: effect, after: index)
      }
      try drain(after: index)
    }
    if !isOver, !replay.living.isEmpty { lines.append("await store.skipInFlightEffects()") }
  }

  private mutating func send(
    _ record: OrderRecord, after index: Int, _ remark: String? = nil
  ) throws(Divergence) {
    if let remark { lines.append("// Record \(record.sequence): \(remark).") }
    let item = queued(record, .client(session: 1, sequence: replay.next), correlation: replay.next)
    try apply(item, verb: "send", after: index)
  }

  private mutating func take(
    _ record: OrderRecord, of effect: EffectID, isFinal: Bool, after index: Int
  ) throws(Divergence) {
    guard let id = own(effect) else {
      return try send(record, after: index, "given by an operation that was started before")
    }
    guard let living = replay.living[id],
      case .operation(let name, _, let output, _) = living.start.kind
    else { return }
    if !answered.contains(id) {
      guard let answer = answer(record.payload, of: name, output) else { return }
      lines.append("await \(names[id] ?? "effect").answer(\(answer))")
    }
    queue.append(
      queued(record, .output(effect: id, index: living.nextIndex, isFinal: isFinal)))
  }

  /// `.output("7 is prime")`, `.failure(…)`.
  private func answer(_ payload: Bytes, of operation: String, _ output: OutputCase) -> String? {
    let failure =
      output.isOutcome
      ? JSONScan.value(at: output.cases + ["failure"], in: payload) : nil
    if let failure, let value = try? JSONReader.decode(Failure.self, from: Bytes(payload[failure]))
    {
      return ".failure(\(SwiftLiteral.text(value)))"
    }
    let cases = output.cases + (output.isOutcome ? ["success"] : [])
    guard let range = JSONScan.value(at: cases, in: payload),
      let type = application.operations.type(of: operation)
    else { return nil }
    return SwiftTest.output(type, Bytes(payload[range])).map { ".output(\($0))" }
  }

  private static func output<Run: WorkerOperation>(_ type: Run.Type, _ json: Bytes) -> String? {
    (try? JSONReader.decode(Run.Output.self, from: json)).map { SwiftLiteral.text($0) }
  }

  private mutating func tick(
    _ record: OrderRecord, of effect: EffectID, after index: Int
  ) throws(Divergence) {
    guard let id = own(effect) else {
      return try send(record, after: index, "the tick of a timer that was started before")
    }
    ticks[id, default: (0, 0, 0)].recorded += 1
    guard let living = replay.living[id], let counts = ticks[id], counts.made < counts.recorded,
      case .timer(let interval, _, _) = living.start.kind
    else { return }
    let due = (counts.made == 0 ? living.startedAt : counts.last) + interval
    if due > now {
      lines.append("await store.advance(by: \(SwiftTest.duration(due - now)))")
      now = due
    }
    queueTicks()
  }

  /// All that are due, as the test store queues them.
  private mutating func queueTicks() {
    for (id, living) in replay.living.sorted(by: { $0.key < $1.key }) {
      guard case .timer(let interval, let isRepeating, let payload) = living.start.kind else {
        continue
      }
      var counts = ticks[id, default: (0, 0, 0)]
      if counts.made > 0, !isRepeating { continue }
      var due = (counts.made == 0 ? living.startedAt : counts.last) + interval
      while due <= now {
        let item = Queued(
          path: living.start.path, payload: payload, origin: .timer(effect: id, due: due),
          time: due,
          correlation: living.correlation)
        let place = queue.lastIndex { $0.time <= due }.map { $0 + 1 } ?? 0
        queue.insert(item, at: place)
        counts.made += 1
        counts.last = due
        if !isRepeating { break }
        due += interval
      }
      ticks[id] = counts
    }
  }

  private mutating func drain(after index: Int) throws(Divergence) {
    while !queue.isEmpty {
      let item = queue.removeFirst()
      if let effect = item.origin.effect, replay.living[effect] == nil { continue }
      if let recorded = item.recorded, let mark = item.mark {
        end("Record \(recorded), which waits to be received, was set aside: \(mark.word).")
        return
      }
      try apply(item, verb: "receive", after: index)
    }
  }

  /// Whether the test store would have the tick that was set aside for good when the time is moved.
  private func isTickToCome(_ record: OrderRecord) -> Bool {
    guard case .timer(let effect, _) = record.origin, record.mark != .unavailable,
      let id = own(effect)
    else { return false }
    return replay.living[id] != nil
  }

  /// What waits stays unreceived.
  private mutating func end(_ remark: String) {
    lines += ["// \(remark) A test store would reduce it.", "store.exhaustivity = .off"]
    isOver = true
  }

  private mutating func apply(
    _ item: Queued, verb: String, after index: Int
  ) throws(Divergence) {
    progress?.subject = item.recorded.map { .record($0) } ?? .consequence(of: playing)
    let sequence = replay.next
    let before = replay.state
    var replacements = InputReplacements()
    replacements.uuid = InputReplacements.counted
    replacements.uuids = uuids
    replay.replacements = replacements
    lastNow = max(lastNow, item.time)
    let record = OrderRecord(
      sequence: sequence, path: item.path, payload: item.payload, now: lastNow,
      seed: sequence &* 0x9e37_79b9_7f4a_7c15, origin: item.origin, correlation: item.correlation)
    let applied = try replay.apply(record)
    uuids += applied.uuids
    if let recorded = item.recorded {
      numbers[recorded] = sequence
      originals[sequence] = recorded
    }
    var isSilent = application.isDeferred(item.payload)
    if case .end = item.origin { isSilent = true }
    if !isSilent {
      let action: App.Root.Action
      do {
        action = try application.action(at: item.path, item.payload)
      } catch {
        throw Divergence(sequence: item.recorded ?? sequence, message: "\(error)")
      }
      if let absence = applied.absence {
        lines.append(
          "// The test store reports the next one: \(absence.replacing("\n", with: " "))")
      }
      say("await store.\(verb)(\(SwiftLiteral.text(action)))", before, replay.state)
    }
    for (place, send) in applied.sends.enumerated() {
      let recorded = originals[sequence].flatMap {
        sends[Sending(cause: $0, index: UInt32(place))]
      }
      queue.append(
        Queued(
          path: send.path, payload: send.payload,
          origin: .send(cause: sequence, index: UInt32(place)), time: lastNow,
          correlation: item.correlation, recorded: recorded?.sequence, mark: recorded?.mark))
    }
    for id in applied.started { expect(id, after: index) }
    queueTicks()
  }

  /// Says that an operation was started, and its answer when that is what comes next.
  private mutating func expect(_ id: EffectID, after index: Int) {
    guard let start = replay.living[id]?.start,
      case .operation(let name, let input, let output, _) = start.kind,
      let type = application.operations.type(of: name),
      let value = SwiftTest.operation(type, input)
    else { return }
    let later = order[(index + 1)...].filter { own($0.origin.effect) == id && $0.mark == nil }
    let next = order[(index + 1)...].first { record in
      if case .send = record.origin { false } else { record.mark == nil }
    }
    var arguments = "effect: \(value)"
    if case .output(_, _, isFinal: true)? = later.first?.origin, later.first == next,
      let answer = next.flatMap({ answer($0.payload, of: name, output) })
    {
      arguments += ", answer: \(answer)"
      answered.insert(id)
    }
    if !start.path.isRoot { arguments += ", at: Path(\(SwiftLiteral.string("\(start.path)")))" }
    var call = "await store.receive(\(arguments))"
    if !later.isEmpty, !answered.contains(id) {
      let variable = "effect\(names.count + 1)"
      names[id] = variable
      call = "let \(variable) = \(call)"
    }
    lines.append(call)
  }

  private static func operation<Run: WorkerOperation>(_ type: Run.Type, _ json: Bytes) -> String? {
    guard let value = try? JSONReader.decode(type, from: json) else { return nil }
    return "try decoded(\(SwiftLiteral.json(value))) as \(SwiftTest.name(of: type))"
  }

  // MARK: Numbers

  /// The test's id of a recorded effect; nil when it was started before the stretch.
  private func own(_ effect: EffectID?) -> EffectID? {
    guard let effect, let sequence = numbers[effect.sequence] else { return nil }
    return EffectID(sequence: sequence, path: effect.path, index: effect.index)
  }

  private func queued(
    _ record: OrderRecord, _ origin: Origin, correlation: UInt64? = nil
  ) -> Queued {
    let living = origin.effect.flatMap { replay.living[$0]?.correlation }
    return Queued(
      path: record.path, payload: record.payload, origin: origin, time: now,
      correlation: correlation ?? living ?? 0, recorded: record.sequence)
  }

  // MARK: Text

  private mutating func say(_ call: String, _ before: App.Root.State, _ after: App.Root.State) {
    let changes = SwiftLiteral.changes(from: before, to: after)
    switch changes.count {
    case 0: lines.append(call)
    case 1 where call.count + changes[0].count <= 90: lines.append("\(call) { \(changes[0]) }")
    default: lines += ["\(call) {"] + changes.map { "  \($0)" } + ["}"]
    }
  }

  private func text(beginning state: App.Root.State) -> String {
    let first = order.first?.sequence ?? 1
    let module = SwiftTest.module(of: App.self)
    let app = SwiftTest.name(of: App.self)
    let store =
      isInitial
      ? ["let store = TestStore(\(app)())"]
      : [
        "let state: \(SwiftTest.name(of: App.Root.State.self)) = try decoded(",
        "  \(SwiftLiteral.json(state)))",
        "let store = TestStore(initialState: state, operations: \(app).operations) { \(app)().root }",
      ]
    let range = "records \(first) to \(order.last?.sequence ?? first)"
    let body = (store + used).map { "  \($0)" }.joined(separator: "\n")
    let imports = [module, "Penstock", "PenstockTesting", "Testing"].sorted()
      .map { "import \($0)\n" }.joined()
    return """
      // Written by “penstock export -o swift-test”. “swift format” breaks its lines.
      // swift-format-ignore-file
      \(imports)
      @Test func `\(App.name), \(range)`() async throws {
      \(body)
      }

      """
  }

  /// The lines without variables that nothing reads.
  private var used: [String] {
    lines.map { line in
      guard line.hasPrefix("let effect"), let end = line.firstRange(of: " = ")?.upperBound,
        let name = line.split(separator: " ").dropFirst().first,
        !lines.contains(where: { $0.hasPrefix("await \(name).") })
      else { return line }
      return String(line[end...])
    }
  }

  private static func module(of type: Any.Type) -> String {
    String(reflecting: type).split(separator: ".").first.map(String.init) ?? ""
  }

  /// The type's name without its module.
  private static func name(of type: Any.Type) -> String {
    String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
  }

  private static func duration(_ microseconds: Int64) -> String {
    if microseconds % 1_000_000 == 0 { return ".seconds(\(microseconds / 1_000_000))" }
    if microseconds % 1_000 == 0 { return ".milliseconds(\(microseconds / 1_000))" }
    return ".microseconds(\(microseconds))"
  }
}
