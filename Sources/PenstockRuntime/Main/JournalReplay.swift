import Machines
import Penstock
import PenstockCore
import Platform
import SQLiteJournal

/// Reduces a journal's records again with this build, and compares with what its checkpoints say of
/// states, effects and mounts (J-13).
struct JournalReplay<App: PenstockApp> {
  /// The first thing that is not as it was.
  struct Difference {
    enum Subject: String { case order, state, effects, mounts }

    /// Of the record when it is known, else of the checkpoint at which it shows.
    var sequence: UInt64
    var subject: Subject
    var message: String
    /// As JSON: what the journal has, and what came out now.
    var recorded: Bytes = []
    var replayed: Bytes = []
  }

  private let application: Application<App>
  private let path: String
  /// The checkpoint to begin at; nil is the first one, or record 0.
  private let from: UInt64?
  private let through: UInt64?
  private var marks: [UInt64: VoidReason] = [:]
  private var cuts: Set<UInt64> = []
  private var lastRecord: UInt64 = 0
  /// The journal begins with another schema; the replay begins where that was migrated.
  private var isMigrated = false

  private var replay: OrderReplay<App>?
  /// Records that were read before it was known from which checkpoint the replay begins.
  private var early: [OrderRecord] = []
  /// States as of checkpoints whose entries come later.
  private var atCuts: [UInt64: OrderCut] = [:]
  private(set) var begins: UInt64 = 0
  private(set) var records = 0
  private(set) var compared = 0
  private(set) var equalThrough: UInt64 = 0
  private(set) var difference: Difference?
  /// Gets a line about each record.
  private let trace: ((String) -> Void)?
  private let progress: ReplayProgress?

  /// - Throws: `JournalError`.
  init(
    _ application: Application<App>, path: String, from: UInt64? = nil, through: UInt64? = nil,
    trace: ((String) -> Void)? = nil, progress: ReplayProgress? = nil
  ) throws {
    self.application = application
    self.path = path
    self.from = from
    self.through = through
    self.trace = trace
    self.progress = progress
    try look()
    try run()
    progress?.subject = nil
    guard replay != nil || difference != nil || lastRecord == 0 else {
      throw JournalError(
        .failed,
        "up to record \(lastRecord) the journal \(path) has no state of this build's schema to begin "
          + "with")
    }
  }

  /// Marks stand behind their records, checkpoints behind later ones: they are known first.
  private mutating func look() throws {
    try SQLiteJournal.read(path: path, application: App.name) { entry in
      switch entry {
      case .mark(let sequence, let reason): marks[sequence] = reason
      case .checkpoint(let sequence, let body):
        guard try isOfThisSchema(body) else {
          // What stands before it is of another schema: a migration begins anew.
          cuts = []
          isMigrated = true
          break
        }
        cuts.insert(sequence)
        lastRecord = max(lastRecord, sequence)
      case .record(let record): lastRecord = record.sequence
      case .start, .build: break
      }
    }
    lastRecord = min(lastRecord, through ?? .max)
  }

  private func isOfThisSchema(_ body: Bytes) throws -> Bool {
    try Checkpoint(decoding: body).schemaHash == application.description.schemaHash
  }

  private mutating func run() throws {
    try SQLiteJournal.read(path: path, application: App.name) { entry in
      guard difference == nil else { return }
      switch entry {
      case .record(var record) where record.sequence <= lastRecord:
        record.mark = marks[record.sequence]
        take(record)
      case .checkpoint(let sequence, let body) where sequence <= lastRecord:
        let checkpoint = try Checkpoint(decoding: body)
        if checkpoint.schemaHash == application.description.schemaHash { take(checkpoint.cut) }
      case .record, .checkpoint, .mark, .start, .build: break
      }
    }
  }

  private mutating func take(_ record: OrderRecord) {
    if replay != nil { return apply(record) }
    guard record.sequence == 0, from ?? 0 == 0, !isMigrated else { return early.append(record) }
    progress?.subject = .record(0)
    note(
      Self.divergence { () throws(Divergence) in
        replay = try OrderReplay(application, initial: record)
      })
    if cuts.contains(0) { atCuts[0] = replay?.cut }
  }

  private mutating func take(_ cut: OrderCut) {
    if replay == nil {
      guard from ?? cut.sequence == cut.sequence else { return }
      begins = cut.sequence
      equalThrough = cut.sequence
      note(
        Self.divergence { () throws(Divergence) in
          replay = try OrderReplay(application, from: cut)
        })
      for record in early where record.sequence > cut.sequence { apply(record) }
      early = []
    } else if let found = atCuts.removeValue(forKey: cut.sequence) {
      compare(found, with: cut)
    }
  }

  private mutating func apply(_ record: OrderRecord) {
    guard difference == nil, record.sequence > begins else { return }
    progress?.subject = .record(record.sequence)
    var applied: OrderReplay<App>.Applied?
    note(
      Self.divergence { () throws(Divergence) in applied = try replay?.apply(record) })
    guard let applied else { return }
    records += 1
    if let trace { trace(line(record.sequence, applied)) }
    if cuts.contains(record.sequence) { atCuts[record.sequence] = replay?.cut }
  }

  private func line(_ sequence: UInt64, _ applied: OrderReplay<App>.Applied) -> String {
    var effects = JSONWriter()
    for id in applied.started { write(id, replay!.living[id]!.start, &effects) }
    let state = SHA256.hex(of: JSONWriter.bytes(of: replay!.state))
    return
      "\(sequence) \(state) \(applied.isVoid ? "void" : "applied") sends \(applied.sends.count)"
      + " ended \(applied.ended.map { "\($0)" }) started \(String(decoding: effects.bytes, as: UTF8.self))"
  }

  private func write(_ id: EffectID, _ start: EffectStart, _ writer: inout JSONWriter) {
    writer.string("\(id) \(start)")
  }

  private static func divergence(_ body: () throws(Divergence) -> Void) -> Divergence? {
    do throws(Divergence) {
      try body()
      return nil
    } catch { return error }
  }

  private mutating func note(_ divergence: Divergence?) {
    guard let divergence, difference == nil else { return }
    difference = Difference(
      sequence: divergence.sequence, subject: .order, message: divergence.message)
  }

  // MARK: Comparing

  private mutating func compare(_ found: OrderCut, with cut: OrderCut) {
    if found.state != cut.state {
      difference = Difference(
        sequence: cut.sequence, subject: .state, message: "the state is another one",
        recorded: cut.state, replayed: found.state)
    } else if found.living.mapValues(\.start) != cut.living.mapValues(\.start) {
      difference = Difference(
        sequence: cut.sequence, subject: .effects, message: "other effects live",
        recorded: describe(cut.living), replayed: describe(found.living))
    } else if found.mounts != cut.mounts {
      difference = Difference(
        sequence: cut.sequence, subject: .mounts, message: "other features are mounted",
        recorded: describe(cut.mounts), replayed: describe(found.mounts))
    } else {
      compared += 1
      equalThrough = cut.sequence
    }
  }

  private func describe(_ living: [EffectID: OrderCut.Effect]) -> Bytes {
    var writer = JSONWriter()
    writer.object { writer in
      for (id, effect) in living.sorted(by: { $0.key < $1.key }) {
        writer.member("\(id)") { $0.string("\(effect.start)") }
      }
    }
    return writer.bytes
  }

  private func describe(_ mounts: [Path: Generation]) -> Bytes {
    var writer = JSONWriter()
    writer.object { writer in
      for (path, generation) in mounts.sorted(by: { $0.key < $1.key }) {
        writer.member("\(path)") { $0.string("\(generation.sequence).\(generation.ordinal)") }
      }
    }
    return writer.bytes
  }

  // MARK: The report

  var json: Bytes {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("begins") { $0.integer(begins) }
      writer.member("last") { $0.integer(lastRecord) }
      writer.member("records") { $0.integer(records) }
      writer.member("compared") { $0.integer(compared) }
      writer.member("equal_through") { $0.integer(equalThrough) }
      writer.member("difference") { writer in
        guard let difference else { return writer.null() }
        writer.object { writer in
          writer.member("sequence") { $0.integer(difference.sequence) }
          writer.member("what") { $0.string(difference.subject.rawValue) }
          writer.member("message") { $0.string(difference.message) }
          writer.member("recorded") { write(difference.recorded, &$0) }
          writer.member("replayed") { write(difference.replayed, &$0) }
        }
      }
      writer.member("state") { writer in
        if through != nil, let replay { writer.value(replay.state) } else { writer.null() }
      }
    }
    return writer.bytes
  }

  private func write(_ json: Bytes, _ writer: inout JSONWriter) {
    if json.isEmpty { writer.null() } else { writer.raw(json) }
  }
}

extension Checkpoint {
  /// What a replay needs of it.
  fileprivate var cut: OrderCut {
    OrderCut(
      sequence: part.sequence, state: state,
      living: part.living.mapValues {
        OrderCut.Effect(
          start: $0.start, startedAt: $0.startedAt, correlation: $0.correlation,
          nextIndex: $0.nextIndex, lastDue: $0.lastDue)
      }, mounts: part.mounts.mapValues(\.generation))
  }
}
