public import Penstock
import PenstockCore

extension TestStore {
  /// Receives the next action, which has to be this one.
  ///
  /// With an exhaustivity of off, actions before it are passed over.
  /// - Parameter time: how far order time may be moved until the action comes.
  public nonisolated(nonsending) func receive(
    _ action: Action, within time: Duration = .zero,
    assert expectation: ((inout State) throws -> Void)? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    receive(
      text(action), within: time, expectation, place, where: { $0 == action },
      difference: { Difference(expected: action, actual: $0).text })
  }

  /// Receives the next action, which has to be of the case.
  public nonisolated(nonsending) func receive<Value>(
    _ casePath: CaseKeyPath<Action, Value>, within time: Duration = .zero,
    assert expectation: ((inout State) throws -> Void)? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let path = Action.allCasePaths[keyPath: casePath]
    receive(
      "an action of the case .\(path.names.joined(separator: "."))", within: time, expectation,
      place, where: { path.extract(from: $0) != nil })
  }

  /// Receives the next action, which has to hold the value in the case.
  public nonisolated(nonsending) func receive<Value: Equatable>(
    _ casePath: CaseKeyPath<Action, Value>, _ value: Value, within time: Duration = .zero,
    assert expectation: ((inout State) throws -> Void)? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let path = Action.allCasePaths[keyPath: casePath]
    let expected = path.embed(value)
    receive(
      text(expected), within: time, expectation, place,
      where: { path.extract(from: $0) == value },
      difference: { Difference(expected: expected, actual: $0).text })
  }

  /// Receives the next action, which has to fulfil the condition.
  public nonisolated(nonsending) func receive(
    where isExpected: (Action) -> Bool, within time: Duration = .zero,
    assert expectation: ((inout State) throws -> Void)? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    receive(
      "an action that fulfils the condition", within: time, expectation, place, where: isExpected)
  }

  private func receive(
    _ expected: String, within time: Duration, _ expectation: ((inout State) throws -> Void)?,
    _ place: Place, where isExpected: (Action) -> Bool,
    difference: ((Action) -> String)? = nil
  ) {
    let deadline = run.now + time.microseconds
    var passed: [String] = []
    while true {
      guard let action = next(until: deadline, place) else {
        return report(
          .nothingWaits(expected, passed: passed, within: time, living: livingTexts), place)
      }
      if exhaustivity == .on || isExpected(action) {
        if !isExpected(action) {
          report(.otherAction(text(action), expected: expected, difference?(action)), place)
        }
        let step = attempt(place) { () throws(TestEngineFailure) in try run.receive(inputs) }
        if let step, let step { check(step, of: action, expectation, place) }
        return
      }
      passed.append(text(action))
      skipOne(place)
    }
  }

  /// The action that waits longest, after moving order time if need be.
  private func next(until deadline: Int64, _ place: Place) -> Action? {
    while true {
      if let action = run.nextAction { return action }
      guard let due = run.nextDue, due <= deadline else {
        advance(by: max(0, deadline - run.now), place)
        return nil
      }
      advance(by: max(0, due - run.now), place)
    }
  }

  var livingTexts: [String] {
    run.living.map { "\($0.start.text) at \($0.start.path)" }
  }
}
