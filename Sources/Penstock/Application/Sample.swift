package import PenstockCore

/// Something that may happen to an application in a simulation: an action that a client sends, or
/// what an operation gives. Those that should happen more often are listed more than once.
public struct Sample<Action> {
  package enum Kind {
    case action(Action)
    case output(operation: String, Bytes)
  }

  package let kind: Kind

  /// An action of the root; one of a child is wrapped in its parents' cases.
  public static func action(_ action: Action) -> Sample { Sample(kind: .action(action)) }

  /// An output of an operation. An operation without samples always fails.
  public static func output<Run: WorkerOperation>(
    _ output: Run.Output, of operation: Run.Type
  ) -> Sample {
    Sample(
      kind: .output(operation: operation.operationName, JSONWriter.bytes(of: output)))
  }
}
