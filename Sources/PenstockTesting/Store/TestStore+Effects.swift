public import Penstock
import PenstockCore

extension TestStore {
  /// Says that an operation was started with this input, and what becomes of it.
  ///
  /// Which of several operations comes first does not matter, since they run at the same time.
  /// - Parameters:
  ///   - answer: what it gives; without one it runs on until the returned effect is told.
  ///   - path: where the feature stands that started it, when several started equal ones.
  @discardableResult
  public nonisolated(nonsending) func receive<Run: WorkerOperation>(
    effect operation: Run, answer: OperationAnswer<Run> = .never, at path: Path? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) async -> TestEffect<Run> {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let input = JSONWriter.bytes(of: operation)
    let candidates = run.operations.indices.filter { !run.operations[$0].isAsserted }
    let found = candidates.first { index in
      guard case .operation(Run.operationName, input, _, _) = run.operations[index].start.kind
      else { return false }
      return path.map { $0 == run.operations[index].start.path } ?? true
    }
    guard let found else {
      report(missing(operation, candidates.map { run.operations[$0] }), place)
      return TestEffect(id: nil) { _, _ in }
    }
    run.operations[found].isAsserted = true
    let id = run.operations[found].id
    let effect = TestEffect<Run>(id: id) { [weak self] answer, place in
      self?.answer(id, answer, place)
    }
    answerNow(answer, id, place)
    return effect
  }

  private func answerNow<Run>(_ answer: OperationAnswer<Run>, _ id: EffectID, _ place: Place) {
    if case .never = answer.kind { return }
    self.answer(id, answer, place)
  }

  func answer<Run>(_ id: EffectID, _ answer: OperationAnswer<Run>, _ place: Place) {
    guard let living = run.effect(id), case .operation(_, _, let output, _) = living.start.kind
    else {
      return report(.answeredTooLate(Run.operationName, at: id.path), place)
    }
    let isSingle = Run.self is any Operation.Type
    switch answer.kind {
    case .never: break
    case .outputs(let outputs, let isEnd):
      for value in outputs {
        give(.output(JSONWriter.bytes(of: value), isFinal: isSingle), of: id, place)
      }
      if isEnd, !isSingle { give(.finished, of: id, place) }
    case .failure(let failure):
      if !output.isOutcome {
        report(
          .unheardFailure(
            Run.operationName, "\(failure)", case: output.cases.joined(separator: "."),
            at: id.path), place)
      }
      give(.failure(failure), of: id, place)
    case .cancelled: give(.cancelled, of: id, place)
    }
  }

  private func give(_ given: GivenResult, of id: EffectID, _ place: Place) {
    attempt(place) { () throws(TestEngineFailure) in try run.give(given, of: id) }
  }

  private func missing<Run: WorkerOperation>(
    _ operation: Run, _ started: [StartedOperation]
  ) -> FailureText {
    let same = started.first {
      if case .operation(Run.operationName, _, _, _) = $0.start.kind { true } else { false }
    }
    if let same, case .operation(_, let input, _, _) = same.start.kind,
      let actual = try? JSONReader.decode(Run.self, from: input)
    {
      return .otherInput(
        DumpNode(operation).line, Difference(expected: operation, actual: actual).text,
        at: same.start.path)
    }
    return .operationNotStarted(DumpNode(operation).line, started: started.map(\.text))
  }
}
