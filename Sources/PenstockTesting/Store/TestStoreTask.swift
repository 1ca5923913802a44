import Penstock

/// What `send` of a test store gives back: the action and what followed from it.
public struct TestStoreTask {
  private let cancelBody: (StoreTask.Extent) -> Void
  private let finishBody: (Place) -> Void

  init(cancel: @escaping (StoreTask.Extent) -> Void, finish: @escaping (Place) -> Void) {
    cancelBody = cancel
    finishBody = finish
  }

  /// Ends the effects that the action itself started.
  public nonisolated(nonsending) func cancel() async { cancelBody(.own) }

  /// Ends all effects that followed from the action, also by way of other actions.
  public nonisolated(nonsending) func cancelTree() async { cancelBody(.tree) }

  /// Checks that nothing that followed from the action waits or runs.
  public nonisolated(nonsending) func finish(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) async {
    finishBody(Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
