package import PenstockCore
package import Wire

/// A client without its socket: a session whose actions apply once, and mirrors that only go forward.
///
/// Actions keep their order. One that is refused (R16) is reported; those after it were refused with
/// it, take its place in the numbering and are sent again. Of the bindings of one field one is on its
/// way (C-13): while it is, a newer value replaces the queued one, unless another action stands behind.
/// After a new link everything unsettled is sent again: the router knows what it numbered.
package struct ClientMachine: Sendable {
  private struct Entry: Sendable {
    /// Of the action, and of those that it replaced.
    var tickets: [UInt64]
    var path: Path
    var payload: Bytes
    /// What a newer one replaces while it is queued: a field of a binding.
    var field: Field?
    /// nil until it is sent.
    var sequence: UInt64?
    /// Came back because one before it was refused.
    var isReturned = false
  }

  /// A field of one feature.
  private struct Field: Hashable, Sendable {
    var path: Path
    var name: String
  }

  private struct Mirror: Sendable {
    var path: Path
    var asOf: UInt64?
    var document: JSONDocument?
  }

  /// Actions on their way at the most.
  package static let window = 1_024
  private let confirmInterval: UInt64

  package let session: UInt64
  private let hello: Hello
  private var entries = Deque<Entry>()
  private var sent = 0
  /// Bindings that are on their way, by their field.
  private var fieldsInFlight: [Field: Int] = [:]
  /// Queued actions that nothing replaces: what stands before them may not be held.
  private var queuedPlain = 0
  private var nextTicket: UInt64 = 1
  private var nextSequence: UInt64 = 1
  private var isWelcome = false
  /// Set while refused actions' successors come back; nothing is sent meanwhile.
  private var isReturning = false
  private var confirmed: UInt64 = 0
  private var mirrors: [UInt32: Mirror] = [:]
  private var requests: [UInt32: (verb: String, body: Bytes)] = [:]
  private var lastID: UInt32 = 0
  package private(set) var rare = RarePaths()

  /// - Parameter confirmInterval: outcomes after which the router may forget them.
  package init(hello: Hello, confirmInterval: UInt64 = 64) {
    self.confirmInterval = confirmInterval
    self.hello = hello
    session = hello.session
  }

  /// Actions without a final word.
  package var unsettled: Int { entries.count }
  package var isConnected: Bool { isWelcome }

  // MARK: The caller's side

  /// - Parameter field: the field that a binding sets; what is queued for it is replaced.
  package mutating func submit(
    _ path: Path, _ payload: Bytes, setting field: String? = nil
  ) -> (ticket: UInt64, outputs: [ClientOutput]) {
    var outputs: [ClientOutput] = []
    let ticket = submit(path, payload, setting: field, into: &outputs)
    return (ticket, outputs)
  }

  package mutating func submit(
    _ path: Path, _ payload: Bytes, setting field: String? = nil,
    into outputs: inout [ClientOutput]
  ) -> UInt64 {
    let ticket = nextTicket
    nextTicket += 1
    // It would never arrive: the protocol has no message for it.
    if let refusal = Self.excess(path, payload) {
      outputs.append(
        .settled(ticket: ticket, ClientOutcome(clientSequence: 0, status: .refused(refusal))))
      return ticket
    }
    let field = field.map { Field(path: path, name: $0) }
    if let field {
      if replaceQueued(field, payload, ticket, &outputs) { return ticket }
    } else {
      queuedPlain += 1
    }
    entries.append(Entry(tickets: [ticket], path: path, payload: payload, field: field))
    sendReady(&outputs)
    return ticket
  }

  /// Puts a newer value into the queued binding of the field, if no other action stands behind it.
  private mutating func replaceQueued(
    _ field: Field, _ payload: Bytes, _ ticket: UInt64, _ outputs: inout [ClientOutput]
  ) -> Bool {
    for index in (sent..<entries.count).reversed() {
      guard let queued = entries[index].field else { return false }
      if queued != field { continue }
      entries[index].payload = payload
      entries[index].tickets.append(ticket)
      if entries[index].tickets.count > Self.window { giveUpOldest(of: index, &outputs) }
      return true
    }
    return false
  }

  /// However long the router is away, no more than a window of replaced values waits for the newest
  /// one's outcome.
  private mutating func giveUpOldest(of index: Int, _ outputs: inout [ClientOutput]) {
    let oldest = entries[index].tickets.removeFirst()
    let message = "\(Self.window) newer values of the field wait; this one is replaced"
    outputs.append(
      .settled(
        ticket: oldest,
        ClientOutcome(
          clientSequence: 0, status: .refused(Refusal(code: .overloaded, message: message)))))
  }

  private static func excess(_ path: Path, _ payload: Bytes) -> Refusal? {
    if payload.count > Limits.payload {
      return Refusal(
        code: .tooLarge,
        message: "the action has \(payload.count) bytes, at most \(Limits.payload) are taken")
    }
    let length = path.description.utf8.count
    guard length > Limits.path else { return nil }
    return Refusal(
      code: .tooLarge, message: "the path has \(length) bytes, at most \(Limits.path) are taken")
  }

  package mutating func subscribe(_ path: Path) -> (id: UInt32, outputs: [ClientOutput]) {
    lastID += 1
    mirrors[lastID] = Mirror(path: path)
    return (lastID, isWelcome ? [.send(.subscribe(id: lastID, path: path))] : [])
  }

  package mutating func unsubscribe(_ id: UInt32) -> [ClientOutput] {
    guard mirrors.removeValue(forKey: id) != nil, isWelcome else { return [] }
    return [.send(.unsubscribe(id: id))]
  }

  package mutating func request(
    _ verb: String, _ body: Bytes
  ) -> (id: UInt32, outputs: [ClientOutput]) {
    lastID += 1
    requests[lastID] = (verb, body)
    return (lastID, isWelcome ? [.send(.request(id: lastID, verb: verb, body: body))] : [])
  }

  // MARK: The link's side

  /// A link began, the first or a later one.
  package mutating func linkStarted() -> [ClientOutput] {
    isWelcome = false
    isReturning = false
    return [.send(.hello(hello))]
  }

  package mutating func received(_ message: Message) -> [ClientOutput] {
    var outputs: [ClientOutput] = []
    received(message, into: &outputs)
    return outputs
  }

  package mutating func received(_ message: Message, into outputs: inout [ClientOutput]) {
    switch message {
    case .welcome(let welcome): welcomed(welcome, &outputs)
    case .outcome(let outcome): settled(outcome, &outputs)
    case .state(let state): outputs += moved(state)
    case .reply(let id, let status, let body):
      guard requests.removeValue(forKey: id) != nil else { return }
      outputs.append(.reply(request: id, status: status, body: body))
    case .refused(let refusal): outputs.append(.refused(refusal))
    default: return
    }
  }

  private mutating func welcomed(_ welcome: Welcome, _ outputs: inout [ClientOutput]) {
    isWelcome = true
    isReturning = false
    // A router that is not durable may have forgotten what was published.
    if !welcome.isDurable { for id in mirrors.keys { mirrors[id]?.asOf = nil } }
    // What has a number keeps its sequence; the rest is counted on from there.
    var sequence = welcome.nextClientSequence
    for index in 0..<sent {
      entries[index].isReturned = false
      if let old = entries[index].sequence, old < welcome.nextClientSequence { continue }
      entries[index].sequence = sequence
      sequence += 1
    }
    nextSequence = sequence
    outputs.append(.welcomed(welcome))
    for index in 0..<sent { outputs.append(.send(submit(entries[index]))) }
    for (id, mirror) in mirrors.sorted(by: { $0.key < $1.key }) {
      outputs.append(.send(.subscribe(id: id, path: mirror.path)))
    }
    for (id, request) in requests.sorted(by: { $0.key < $1.key }) {
      outputs.append(.send(.request(id: id, verb: request.verb, body: request.body)))
    }
    sendReady(&outputs)
  }

  private func submit(_ entry: Entry) -> Message {
    .submit(
      Submit(
        clientSequence: entry.sequence ?? 0, path: entry.path, payload: entry.payload))
  }

  private mutating func sendReady(_ outputs: inout [ClientOutput]) {
    guard isWelcome, !isReturning else { return }
    while sent < entries.count, sent < Self.window {
      if let field = entries[sent].field {
        if queuedPlain == 0, fieldsInFlight[field] != nil { return }
        fieldsInFlight[field, default: 0] += 1
      } else {
        queuedPlain -= 1
      }
      entries[sent].sequence = nextSequence
      nextSequence += 1
      outputs.append(.send(submit(entries[sent])))
      sent += 1
    }
  }

  /// Outcomes come mostly in the order of their actions.
  private func place(of sequence: UInt64) -> Int? {
    if sent > 0, entries[0].sequence == sequence { return 0 }
    return (0..<sent).first { entries[$0].sequence == sequence }
  }

  private mutating func settled(_ outcome: ClientOutcome, _ outputs: inout [ClientOutput]) {
    guard let index = place(of: outcome.clientSequence) else { return }
    if case .refused(let refusal) = outcome.status, refusal.code == .afterRefusal {
      isReturning = true
      entries[index].isReturned = true
      resendReturned(&outputs)
      return
    }
    var isRefusal = false
    if case .refused = outcome.status { isRefusal = true }
    let entry = entries[index]
    entries.remove(at: index)
    sent -= 1
    if let field = entry.field, let count = fieldsInFlight[field] {
      fieldsInFlight[field] = count > 1 ? count - 1 : nil
    }
    if isRefusal {
      isReturning = true
      nextSequence = outcome.clientSequence
    }
    for ticket in entry.tickets { outputs.append(.settled(ticket: ticket, outcome)) }
    resendReturned(&outputs)
    sendReady(&outputs)
    confirm(&outputs)
  }

  /// When all that were sent after a refused action are back, they are sent again in its place.
  private mutating func resendReturned(_ outputs: inout [ClientOutput]) {
    guard isReturning else { return }
    let first = (0..<sent).first { entries[$0].isReturned } ?? sent
    guard (first..<sent).allSatisfy({ entries[$0].isReturned }),
      (0..<first).allSatisfy({ (entries[$0].sequence ?? 0) < nextSequence })
    else { return }
    isReturning = false
    if first < sent { rare.reach(.clientReturns) }
    for index in first..<sent {
      entries[index].isReturned = false
      entries[index].sequence = nextSequence
      nextSequence += 1
      outputs.append(.send(submit(entries[index])))
    }
    sendReady(&outputs)
  }

  private mutating func confirm(_ outputs: inout [ClientOutput]) {
    let lowest = sent > 0 ? entries[0].sequence ?? nextSequence : nextSequence
    guard lowest > confirmed + confirmInterval, !isReturning else { return }
    confirmed = lowest - 1
    outputs.append(.send(.confirm(upTo: confirmed)))
  }

  private mutating func moved(_ state: StateMessage) -> [ClientOutput] {
    guard var mirror = mirrors[state.subscription] else { return [] }
    if let asOf = mirror.asOf, state.asOf < asOf { return [] }
    switch state.body {
    case .snapshot(let bytes):
      mirror.document = bytes.flatMap { try? JSONDocument($0) }
    case .changes(let from, let patch):
      guard from == mirror.asOf, mirror.document != nil,
        (try? mirror.document?.apply(patch)) != nil
      else {
        // A gap: begin again from a snapshot.
        mirrors[state.subscription]?.asOf = nil
        return [.send(.subscribe(id: state.subscription, path: mirror.path))]
      }
    }
    mirror.asOf = state.asOf
    mirrors[state.subscription] = mirror
    return [
      .state(
        subscription: state.subscription, asOf: state.asOf, mirror.document?.encode())
    ]
  }
}
