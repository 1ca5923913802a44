public import Penstock
import PenstockCore

/// Reduces a recording again, and fails at the first record that does something else than it did.
///
/// ```swift
/// let recording = try String(contentsOf: url, encoding: .utf8)  // penstock tap -w, or journal export
/// replay(CounterApp(), try ReplayFixture(recording))
/// ```
///
/// A capture says how each action changed the state, and the states are compared; a journal's export
/// says which actions followed from which, and that is compared. Everything is reduced twice, as a test
/// store does.
/// - Returns: the state after the last record that could be reduced.
@discardableResult
public func replay<App: PenstockApp>(
  _ app: App, _ fixture: ReplayFixture, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) -> App.Root.State? {
  let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
  var run = ReplayRun<App>()
  do {
    try run.run(Application(app), fixture)
  } catch {
    Reporter.current.report(
      .failure, FailureText.replayDiffers(error.record, error.difference).text, place)
  }
  return run.state
}
