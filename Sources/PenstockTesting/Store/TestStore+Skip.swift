import Penstock

extension TestStore {
  /// Receives all that waits, and what follows from it, without saying what it is.
  /// - Parameter strict: whether it is a failure when nothing waits.
  public nonisolated(nonsending) func skipReceivedActions(
    strict: Bool = true, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    if run.waiting.isEmpty {
      if strict { report(.nothingToReceive, place) }
      return
    }
    skipWaiting(place)
  }

  /// Ends all operations and timers that are alive, and says of the operations that they were meant.
  /// - Parameter strict: whether it is a failure when there is none.
  public nonisolated(nonsending) func skipInFlightEffects(
    strict: Bool = true, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let living = livingTexts
    let unasserted = run.operations.contains { !$0.isAsserted }
    if living.isEmpty && !unasserted {
      if strict { report(.nothingInFlight, place) }
      return
    }
    if exhaustivity == .off(showSkipped: true), !living.isEmpty {
      report(.skippedEffects(living), place, .skipped)
    }
    attempt(place) { () throws(TestEngineFailure) in try run.endNow(run.living.map(\.id)) }
    run.operations = []
  }

  /// Reduces what waits until nothing does.
  func skipWaiting(_ place: Place) {
    while !run.waiting.isEmpty { skipOne(place) }
  }

  func skipOne(_ place: Place) {
    guard let action = run.nextAction else { return }
    let step = attempt(place) { () throws(TestEngineFailure) in try run.receive(inputs) }
    guard let step, let step else { return run.abandon() }
    for complaint in step.complaints { report(.complaint(complaint, of: text(action)), place) }
    if exhaustivity == .off(showSkipped: true) {
      let difference = Difference(expected: step.before, actual: step.after).text
      report(.skippedAction(text(action), difference), place, .skipped)
    }
  }
}
