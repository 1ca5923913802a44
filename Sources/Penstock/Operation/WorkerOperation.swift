/// What a worker can run: the input of an operation, as a value, and what it does.
///
/// Features declare `Operation` or `StreamingOperation`.
public protocol WorkerOperation: JSONCodable {
  associatedtype Output: JSONCodable

  /// The wire name. By default the type's name without its module; fix it before renaming the type.
  static var operationName: String { get }

  /// Runs the operation in a worker.
  func perform(
    _ context: OperationContext, output: OutputSink<Output>
  ) async throws
}

extension WorkerOperation {
  public static var operationName: String { declaredName(of: Self.self) }
}

/// An operation with one output.
///
/// `run` may be repeated after the loss of a worker: use `context.effectID` where doing it twice
/// would harm. It is cancelled like any Swift task.
public protocol Operation: WorkerOperation {
  associatedtype Output

  func run(_ context: OperationContext) async throws -> Output
}

extension Operation {
  public func perform(_ context: OperationContext, output: OutputSink<Output>) async throws {
    try await output(run(context))
  }
}

/// An operation with any number of outputs over time.
///
/// An output counts once its call of `output` has returned. A new attempt goes on at
/// `context.nextIndex`, with the cursor of the last heartbeat in `context.lastCursor`.
public protocol StreamingOperation: WorkerOperation {
  associatedtype Output

  func run(_ context: OperationContext, output: OutputSink<Output>) async throws
}

extension StreamingOperation {
  public func perform(_ context: OperationContext, output: OutputSink<Output>) async throws {
    try await run(context, output: output)
  }
}

/// Where an operation puts its outputs.
public struct OutputSink<Output: JSONCodable>: Sendable {
  private let put: @Sendable (Bytes) async throws -> Void

  package init(_ put: @escaping @Sendable (Bytes) async throws -> Void) { self.put = put }

  public func callAsFunction(_ output: Output) async throws {
    try await put(JSONWriter.bytes(of: output))
  }
}
