package import PenstockCore
package import Wire

/// The whole system as of one sequence: from here and the later records everything follows (R6).
package struct Checkpoint: Hashable, Sendable {
  package struct SavedSession: Hashable, Sendable {
    package var name: String
    package var next: UInt64
    package var outcomes: [UInt64: ClientOutcome.Status]
  }

  package var schemaHash: UInt64
  package var part: RouterPart
  /// The merged state.
  package var state: Bytes
  package var sessions: [UInt64: SavedSession]
  package var quarantine: Quarantine
  package var failed: FailedEffects
  /// The application's as of then, for whoever has to migrate the state; empty in older ones.
  package var description: Bytes

  private static let version: UInt8 = 4
  /// The one without a description.
  private static let thirdVersion: UInt8 = 3
  /// The one without failed effects, and without the place of what waits.
  private static let secondVersion: UInt8 = 2
  /// The one without a quarantine.
  private static let firstVersion: UInt8 = 1
  private static let limit = 1 << 24
  // What was admitted must be written, however large a router's wrapping made it: blocks have no limit.

  /// Canonical: equal checkpoints have equal bytes.
  package func encode() throws(WireError) -> Bytes {
    var writer = ByteWriter()
    writer.u8(Self.version)
    writer.u64(schemaHash)
    writer.u64(part.sequence)
    writer.i64(part.now)
    try writer.block(state, limit: .max, "state")
    try writer.count(part.mounts.count, limit: Self.limit, "mounts")
    for (path, mount) in part.mounts.sorted(by: { $0.key < $1.key }) {
      try writer.path(path)
      try writer.name(mount.id, "mount")
      writer.u64(mount.generation.sequence)
      writer.u32(mount.generation.ordinal)
    }
    try writer.count(part.living.count, limit: Self.limit, "effects")
    for (id, living) in part.living.sorted(by: { $0.key < $1.key }) {
      try Codec.encode(id, &writer)
      try Codec.encode(living.start, &writer)
      writer.u32(living.nextIndex)
      writer.u64(living.correlation)
      writer.i64(living.startedAt)
      writer.flag(living.lastDue != nil)
      writer.i64(living.lastDue ?? 0)
    }
    try writer.count(part.waiting.count, limit: Self.limit, "waiting")
    for item in part.waiting {
      try Codec.encode(item.origin, &writer)
      try writer.path(item.path)
      try writer.block(item.payload, limit: .max, "payload")
      writer.u64(item.correlation)
      writer.u64(item.since)
    }
    try encodeDeaths(&writer)
    try encodeSessions(&writer)
    try encodeQuarantine(&writer)
    try encodeFailed(&writer)
    try writer.block(description, limit: .max, "description")
    return writer.bytes
  }

  private func encodeQuarantine(_ writer: inout ByteWriter) throws(WireError) {
    // What was set aside after the cut stands behind it in the journal.
    let records = quarantine.records.filter { $0.sequence <= part.sequence }
    try writer.count(records.count, limit: Self.limit, "quarantine")
    for record in records {
      writer.u64(record.sequence)
      try writer.path(record.path)
      try writer.block(record.payload, limit: .max, "payload")
      writer.i64(record.now)
      writer.u64(record.seed)
      try Codec.encode(record.origin, &writer)
      writer.u64(record.correlation)
      writer.u8(record.mark?.rawValue ?? 0)
    }
  }

  private func encodeFailed(_ writer: inout ByteWriter) throws(WireError) {
    let effects = failed.effects.filter { $0.sequence <= part.sequence }
    try writer.count(effects.count, limit: Self.limit, "failed effects")
    for effect in effects {
      try Codec.encode(effect.id, &writer)
      try Codec.encode(effect.start, &writer)
      writer.u64(effect.sequence)
      writer.u64(effect.correlation)
      writer.i64(effect.now)
      writer.u32(effect.attempts)
      try writer.block(Bytes(effect.failure.code.utf8), limit: .max, "code")
      try writer.block(Bytes(effect.failure.message.utf8), limit: .max, "message")
    }
  }

  private static func decodeFailed(_ body: inout ByteReader) throws(WireError) -> FailedEffect {
    FailedEffect(
      id: try Codec.decodeEffectID(&body), start: try Codec.decodeEffectStart(&body),
      sequence: try body.u64(), correlation: try body.u64(), now: try body.i64(),
      attempts: try body.u32(),
      failure: Failure(
        code: String(decoding: try body.block(limit: .max, "code"), as: UTF8.self),
        message: String(decoding: try body.block(limit: .max, "message"), as: UTF8.self)))
  }

  private static func decodeQuarantined(_ body: inout ByteReader) throws(WireError) -> OrderRecord {
    var record = OrderRecord(
      sequence: try body.u64(), path: try body.path(),
      payload: try body.block(limit: .max, "payload"), now: try body.i64(),
      seed: try body.u64(), origin: try Codec.decodeOrigin(&body), correlation: try body.u64())
    let reason = try body.u8()
    record.mark = VoidReason(rawValue: reason)
    guard Quarantine.holds(record.mark) else {
      throw .malformed("checkpoint: reason \(reason) of a quarantine is unknown.")
    }
    return record
  }

  private func encodeDeaths(_ writer: inout ByteWriter) throws(WireError) {
    try writer.count(part.loneDeaths.count, limit: Self.limit, "deaths")
    var deaths: [(Bytes, Int)] = []
    for (origin, count) in part.loneDeaths {
      var encoded = ByteWriter()
      try Codec.encode(origin, &encoded)
      deaths.append((encoded.bytes, count))
    }
    for (origin, count) in deaths.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
      writer.raw(origin)
      writer.u32(UInt32(count))
    }
  }

  private func encodeSessions(_ writer: inout ByteWriter) throws(WireError) {
    try writer.count(sessions.count, limit: Self.limit, "sessions")
    for (id, session) in sessions.sorted(by: { $0.key < $1.key }) {
      writer.u64(id)
      try writer.name(session.name, "name")
      writer.u64(session.next)
      let settled = session.outcomes.sorted { $0.key < $1.key }
      try writer.count(settled.count, limit: Self.limit, "outcomes")
      for (sequence, status) in settled {
        writer.u64(sequence)
        switch status {
        case .committed(let number, let isUnmounted):
          writer.u8(isUnmounted ? 2 : 1)
          writer.u64(number)
        case .void(let number, let reason):
          writer.u8(16 + reason.rawValue)
          writer.u64(number)
        case .refused: throw .malformed("checkpoint: a refusal is not kept.")
        }
      }
    }
  }

  package init(
    schemaHash: UInt64, part: RouterPart, state: Bytes, sessions: [UInt64: SavedSession],
    quarantine: Quarantine, failed: FailedEffects = FailedEffects(),
    description: Bytes = []
  ) {
    self.description = description
    self.failed = failed
    self.quarantine = quarantine
    self.schemaHash = schemaHash
    self.part = part
    self.state = state
    self.sessions = sessions
  }

  package init(decoding bytes: Bytes) throws(WireError) {
    let result: Result<Checkpoint, WireError> = bytes.withUnsafeBytes { buffer in
      var body = ByteReader(buffer)
      do throws(WireError) { return .success(try Checkpoint(&body)) } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  private init(_ body: inout ByteReader) throws(WireError) {
    let version = try body.u8()
    guard (Self.firstVersion...Self.version).contains(version) else {
      throw WireError(
        code: .unknownVersion, message: "checkpoint: version \(version) is newer than this router.")
    }
    schemaHash = try body.u64()
    part = RouterPart(sequence: try body.u64(), now: try body.i64())
    state = try body.block(limit: .max, "state")
    for _ in 0..<(try body.count(limit: Self.limit, size: 16, "mounts")) {
      let path = try body.path()
      part.mounts[path] = MountTable.Mount(
        id: try body.name("mount"),
        generation: Generation(sequence: try body.u64(), ordinal: try body.u32()))
    }
    for _ in 0..<(try body.count(limit: Self.limit, size: 16, "effects")) {
      let id = try Codec.decodeEffectID(&body)
      var living = EffectRegistry.Living(
        start: try Codec.decodeEffectStart(&body), nextIndex: try body.u32(),
        correlation: try body.u64(), startedAt: try body.i64())
      let hasTicked = try body.flag("ticked")
      let due = try body.i64()
      living.lastDue = hasTicked ? due : nil
      part.living[id] = living
    }
    for _ in 0..<(try body.count(limit: Self.limit, size: 15, "waiting")) {
      part.waiting.append(
        Waiting(
          origin: try Codec.decodeOrigin(&body), path: try body.path(),
          payload: try body.block(limit: .max, "payload"),
          correlation: try body.u64(),
          since: version > Self.secondVersion ? try body.u64() : 0))
    }
    for _ in 0..<(try body.count(limit: Self.limit, size: 5, "deaths")) {
      let origin = try Codec.decodeOrigin(&body)
      part.loneDeaths[origin] = Int(try body.u32())
    }
    sessions = [:]
    for _ in 0..<(try body.count(limit: Self.limit, size: 22, "sessions")) {
      let id = try body.u64()
      sessions[id] = try Self.decodeSession(&body)
    }
    quarantine = Quarantine()
    failed = FailedEffects()
    description = []
    guard version > Self.firstVersion else { return }
    for _ in 0..<(try body.count(limit: Quarantine.limit, size: 40, "quarantine")) {
      quarantine.add(try Self.decodeQuarantined(&body))
    }
    guard version > Self.secondVersion else { return }
    for _ in 0..<(try body.count(limit: FailedEffects.limit, size: 50, "failed effects")) {
      failed.add(try Self.decodeFailed(&body))
    }
    guard version > Self.thirdVersion else { return }
    description = try body.block(limit: .max, "description")
  }

  private static func decodeSession(_ body: inout ByteReader) throws(WireError) -> SavedSession {
    var session = SavedSession(name: try body.name("name"), next: try body.u64(), outcomes: [:])
    for _ in 0..<(try body.count(limit: limit, size: 17, "outcomes")) {
      let sequence = try body.u64()
      let kind = try body.u8()
      let number = try body.u64()
      switch kind {
      case 1, 2: session.outcomes[sequence] = .committed(sequence: number, isUnmounted: kind == 2)
      default:
        guard kind > 16, let reason = VoidReason(rawValue: kind - 16) else {
          throw .malformed("checkpoint: outcome \(kind) is unknown.")
        }
        session.outcomes[sequence] = .void(sequence: number, reason: reason)
      }
    }
    return session
  }
}

extension RouterMachine {
  /// Writes a checkpoint from a released cut; histories are forgotten once it is durable.
  mutating func checkpoint(_ marker: ReleasedMarker) {
    guard let state = document?.encode(), sequencer != nil else { return }
    forgetAbsentSessions(now: sequencer!.now)
    let saved = sessions.mapValues {
      Checkpoint.SavedSession(name: $0.name, next: $0.next, outcomes: $0.outcomes.all)
    }
    var part = marker.part
    if configuration.sequencer.faults.forgetsWaitingInCheckpoints { part.waiting = [] }
    let checkpoint = Checkpoint(
      schemaHash: schemaHash ?? 0, part: part, state: state, sessions: saved,
      quarantine: quarantine, failed: failed, description: shape)
    do {
      let body = try checkpoint.encode()
      checkpointSize = body.count
      sequencer!.append(.checkpoint(sequence: marker.sequence, body: body))
    } catch {
      outputs.append(.stop("a checkpoint can't be written: \(error.description)"))
      return
    }
    pendingCheckpoint = (
      sequencer!.nextTicket, marker.sequence,
      sequencer!.topology.nodes.map { JSONScan.state(at: $0.statePath, in: state) }
    )
  }
}
