/// The operations of an application by their wire names: what a worker serves.
public struct OperationRegistry: Sendable {
  private let operations: [String: any WorkerOperation.Type]

  /// - Precondition: the wire names are unique.
  public init(_ operations: [any WorkerOperation.Type]) {
    self.operations = Dictionary(operations.map { ($0.operationName, $0) }) { first, second in
      preconditionFailure(
        "\(first) and \(second) have the same wire name “\(first.operationName)”")
    }
  }

  /// The wire names in a fixed order.
  public var names: [String] { operations.keys.sorted() }

  package func serves(_ name: String) -> Bool { operations[name] != nil }

  package func type(of name: String) -> (any WorkerOperation.Type)? { operations[name] }

  /// Whether the operation ends with its first output.
  package func hasOneOutput(_ name: String) -> Bool { operations[name] is any Operation.Type }

  /// Whether the operation has one output, which ends it.
  public func hasSingleOutput(_ name: String) -> Bool { operations[name] is any Operation.Type }

  /// Runs an operation to its end; every output is handed over encoded, one after the other.
  /// - Throws: `Failure` for whatever the operation threw, `CancellationError` if it was cancelled.
  public func run(
    _ name: String, input: Bytes, context: OperationContext,
    output: @escaping @Sendable (Bytes) async throws -> Void
  ) async throws {
    guard let type = operations[name] else {
      throw Failure(code: Failure.error, message: "No operation has the name “\(name)”")
    }
    do {
      try await run(type, input, context, output)
    } catch let failure as Failure {
      throw failure
    } catch let error as CancellationError {
      throw error
    } catch {
      throw Failure(code: Failure.error, message: "\(error)")
    }
  }

  private func run<Run: WorkerOperation>(
    _ type: Run.Type, _ input: Bytes, _ context: OperationContext,
    _ output: @escaping @Sendable (Bytes) async throws -> Void
  ) async throws {
    let operation = try JSONReader.decode(type, from: input)
    try await operation.perform(context, output: OutputSink(output))
  }
}
