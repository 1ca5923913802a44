public import Penstock
public import PenstockCore

/// An operation that a test has received: `answer` says what comes of it, as often as needed.
public struct TestEffect<Run: WorkerOperation> {
  /// Its identity; nil when the test expected what was not started.
  public let id: EffectID?
  private let answerBody: (OperationAnswer<Run>, Place) -> Void

  init(id: EffectID?, answer: @escaping (OperationAnswer<Run>, Place) -> Void) {
    self.id = id
    answerBody = answer
  }

  /// Gives outputs, a failure or an end; the actions that they become wait to be received.
  public nonisolated(nonsending) func answer(
    _ answer: OperationAnswer<Run>, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) async {
    answerBody(answer, Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
