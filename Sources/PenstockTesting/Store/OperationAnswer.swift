public import Penstock

/// What an operation gives in a test.
public struct OperationAnswer<Run: WorkerOperation>: Sendable {
  enum Kind: Sendable {
    case never
    case outputs([Run.Output], isEnd: Bool)
    case failure(Failure)
    case cancelled
  }

  let kind: Kind

  /// Nothing; it runs until it is cancelled or the test gives another answer.
  public static var never: Self { Self(kind: .never) }

  /// It fails, after all retries that its policy allows.
  public static func failure(_ failure: Failure) -> Self { Self(kind: .failure(failure)) }

  /// It fails as one that threw an error does.
  public static func failure(_ error: any Error) -> Self {
    failure(
      error as? Failure ?? Failure(code: Failure.error, message: "\(error)"))
  }

  /// It ends itself as cancelled: no action says so.
  public static var cancelled: Self { Self(kind: .cancelled) }
}

extension OperationAnswer where Run: Operation {
  /// It ends with the output.
  public static func output(_ output: Run.Output) -> Self {
    Self(kind: .outputs([output], isEnd: true))
  }
}

extension OperationAnswer where Run: StreamingOperation {
  /// It gives an output and goes on.
  public static func output(_ output: Run.Output) -> Self {
    Self(kind: .outputs([output], isEnd: false))
  }

  /// It gives the outputs one after the other and ends.
  public static func outputs(_ outputs: [Run.Output]) -> Self {
    Self(kind: .outputs(outputs, isEnd: true))
  }

  /// It ends.
  public static var end: Self { Self(kind: .outputs([], isEnd: true)) }
}
