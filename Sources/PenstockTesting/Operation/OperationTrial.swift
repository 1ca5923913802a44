public import Penstock
public import PenstockCore

/// What one attempt of an operation did in a test.
public struct OperationTrial<Output: Sendable>: Sendable {
  public var outputs: [Output] = []
  /// The cursor of each heartbeat, encoded; nil for one without.
  public var heartbeats: [Bytes?] = []
  public var log: [String] = []
  /// What it threw.
  public var failure: Failure?
  /// Whether it ended itself as cancelled.
  public var isCancelled = false
}

extension WorkerOperation {
  /// Runs one attempt of the operation alone, here and now, with its dependencies replaced.
  ///
  /// ```swift
  /// let trial = try await NumberFact(number: 7).trial { $0[Numbers.self] = .constant("prime") }
  /// #expect(trial.outputs == ["7 is prime"])
  /// ```
  ///
  /// A dependency that is neither replaced nor has a `testValue` is a failure that names it.
  /// - Parameters:
  ///   - nextIndex: how many outputs earlier attempts gave.
  ///   - cursor: what the last heartbeat of an earlier attempt said.
  ///   - dependencies: replaces what the operation reaches.
  public func trial(
    attempt: UInt32 = 1, nextIndex: UInt32 = 0, cursor: Bytes? = nil,
    dependencies: (inout DependencyValues) -> Void = { _ in }, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async -> OperationTrial<Output> {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let reporter = Reporter.current
    let name = Self.operationName
    var values = DependencyValues.test { key in
      reporter.report(.failure, FailureText.liveDependency(key, of: name).text, place)
    }
    dependencies(&values)
    let record = TrialRecord<Output>()
    let context = OperationContext(
      effectID: EffectID(sequence: 1, path: .root, index: 0), attempt: attempt,
      nextIndex: nextIndex, lastCursor: cursor, dependencies: values,
      heartbeat: { bytes in record.change { $0.heartbeats.append(bytes) } },
      log: { text in record.change { $0.log.append(text) } })
    do {
      try await perform(
        context,
        output: OutputSink { bytes in
          try Task.checkCancellation()
          let output = try JSONReader.decode(Output.self, from: bytes)
          record.change { $0.outputs.append(output) }
        })
    } catch is CancellationError {
      record.change { $0.isCancelled = true }
    } catch {
      let failure = error as? Failure ?? Failure(code: Failure.error, message: "\(error)")
      record.change { $0.failure = failure }
    }
    return record.value
  }
}
