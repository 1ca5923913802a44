extension Effect where Action: CasePathable {
  /// Runs an operation in a worker; its outputs and failures arrive in the case.
  public static func run<Run: WorkerOperation>(
    _ operation: Run, to output: CaseKeyPath<Action, Outcome<Run.Output>>
  ) -> Self {
    run(operation, names: Action.allCasePaths[keyPath: output].names, isOutcome: true)
  }

  /// Runs an operation in a worker; its outputs arrive in the case, and a failure nowhere.
  @_disfavoredOverload
  public static func run<Run: WorkerOperation>(
    _ operation: Run, to output: CaseKeyPath<Action, Run.Output>
  ) -> Self {
    run(operation, names: Action.allCasePaths[keyPath: output].names, isOutcome: false)
  }

  private static func run(
    _ operation: some WorkerOperation, names: [String], isOutcome: Bool
  ) -> Self {
    Effect([
      .operation(
        OperationStep(
          name: type(of: operation).operationName, input: JSONWriter.bytes(of: operation),
          output: OutputCase(cases: names, isOutcome: isOutcome)))
    ])
  }
}
