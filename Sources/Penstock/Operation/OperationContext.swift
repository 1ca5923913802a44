/// What an operation knows of the run that it is.
public struct OperationContext: Sendable {
  /// The same in every attempt: a key for doing something once.
  public var effectID: EffectID
  /// Counts from 1.
  public var attempt: UInt32
  /// When this attempt is given up, in microseconds since 1970; nil is never.
  public var deadline: Int64?
  /// The index of the next output: how many were taken in earlier attempts.
  public var nextIndex: UInt32
  /// What the last heartbeat of an earlier attempt said.
  public var lastCursor: Bytes?
  public var dependencies: DependencyValues
  private let sendHeartbeat: @Sendable (Bytes?) -> Void
  private let writeLog: @Sendable (String) -> Void

  public init(
    effectID: EffectID, attempt: UInt32 = 1, deadline: Int64? = nil, nextIndex: UInt32 = 0,
    lastCursor: Bytes? = nil, dependencies: DependencyValues = DependencyValues(),
    heartbeat: @escaping @Sendable (Bytes?) -> Void = { _ in },
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.effectID = effectID
    self.attempt = attempt
    self.deadline = deadline
    self.nextIndex = nextIndex
    self.lastCursor = lastCursor
    self.dependencies = dependencies
    sendHeartbeat = heartbeat
    writeLog = log
  }

  /// Says that the operation is alive.
  public func heartbeat() { sendHeartbeat(nil) }

  /// Says that the operation is alive and where a new attempt should go on.
  public func heartbeat(cursor: some JSONCodable) {
    sendHeartbeat(JSONWriter.bytes(of: cursor))
  }

  /// The cursor of the last heartbeat before this attempt.
  public func cursor<Cursor: JSONCodable>(as type: Cursor.Type = Cursor.self) -> Cursor? {
    lastCursor.flatMap { try? JSONReader.decode(from: $0) }
  }

  public var isCancelled: Bool { Task.isCancelled }

  public func log(_ message: @autoclosure () -> String) { writeLog(message()) }
}
