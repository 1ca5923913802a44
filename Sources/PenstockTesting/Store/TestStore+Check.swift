import Penstock

extension TestStore {
  /// Compares the state after an action with what the test expects.
  func check(
    _ step: TestStep<State>, of action: Action,
    _ expectation: ((inout State) throws -> Void)?, _ place: Place
  ) {
    for complaint in step.complaints { report(.complaint(complaint, of: text(action)), place) }
    if exhaustivity == .on {
      checkWhole(step, of: text(action), expectation, place)
    } else {
      checkPart(step, of: text(action), expectation, place)
    }
  }

  private func checkWhole(
    _ step: TestStep<State>, of action: String,
    _ expectation: ((inout State) throws -> Void)?, _ place: Place
  ) {
    var expected = step.before
    guard let expectation else {
      if step.before != step.after {
        let difference = Difference(expected: step.before, actual: step.after)
        report(.unexpectedChange(difference.text, of: action), place)
      }
      return
    }
    do {
      try step.inputs.run { try expectation(&expected) }
    } catch {
      return report(.thrown("\(error)", of: action), place)
    }
    if expected != step.after {
      let difference = Difference(expected: expected, actual: step.after)
      report(.state(difference.text, of: action), place)
    } else if expected == step.before {
      report(.noChange(of: action), place)
    }
  }

  private func checkPart(
    _ step: TestStep<State>, of action: String,
    _ expectation: ((inout State) throws -> Void)?, _ place: Place
  ) {
    var expected = step.after
    do {
      try step.inputs.run { try expectation?(&expected) }
    } catch {
      return report(.thrown("\(error)", of: action), place)
    }
    if expected != step.after {
      let difference = Difference(expected: expected, actual: step.after)
      return report(.state(difference.text, of: action), place)
    }
    guard exhaustivity == .off(showSkipped: true) else { return }
    // What the same expectation leaves of the state before was not looked at.
    var partial = step.before
    try? step.inputs.run { try expectation?(&partial) }
    if partial == step.after { return }
    let difference = Difference(expected: partial, actual: step.after)
    report(.skippedChange(difference.text, of: action), place, .skipped)
  }
}
