import Penstock

/// What a test store says: what happened, the likely causes, and what to do.
enum FailureText {
  // The state
  case state(String, of: String?)
  case unexpectedChange(String, of: String)
  case noChange(of: String)
  case thrown(String, of: String?)
  case skippedChange(String, of: String)
  // Actions
  case waiting([String], before: String)
  case otherAction(String, expected: String, String?)
  case nothingWaits(String, passed: [String], within: Duration, living: [String])
  case unreceived([String])
  case nothingToReceive
  case skippedAction(String, String)
  case complaint(String, of: String)
  case internalAction(String, String)
  // Effects
  case operationNotStarted(String, started: [String])
  case otherInput(String, String, at: Path)
  case unassertedOperation(String, at: Path, isAlive: Bool)
  case answeredTooLate(String, at: Path)
  case unheardFailure(String, String, case: String, at: Path)
  case running(String, at: Path)
  case nothingInFlight
  case skippedEffects([String])
  case liveDependency(String, of: String)
  // Replay
  case replayDiffers(String, String)
  // What the engine can't do
  case engine(String)
  case unsupportedInputs

  var text: String {
    switch self {
    case .state, .unexpectedChange, .noChange, .thrown, .skippedChange: stateText
    case .waiting, .otherAction, .nothingWaits, .unreceived, .nothingToReceive, .skippedAction,
      .complaint, .internalAction:
      actionText
    default: effectText
    }
  }

  private var stateText: String {
    switch self {
    case .state(let difference, let action):
      """
      The state \(after(action)) is not the expected one (− expected, + actual).

      \(difference.indented)

      Either the reducer or the expectation is wrong: correct the one that says what is not meant.
      """
    case .unexpectedChange(let difference, let action):
      """
      \(action) changed the state, and no change was expected (− before, + after).

      \(difference.indented)

      Say what changes in a closure behind the action, or set exhaustivity to .off if this test is \
      not about it.
      """
    case .noChange(let action):
      """
      \(action) did not change the state, and a change was expected.

      The closure behind the action leaves the state as it was. If nothing is to change, remove the \
      closure; if something is, the reducer does not do it.
      """
    case .thrown(let error, let action):
      """
      The closure that says what the state is \(after(action)) threw an error: \(error)

      Nothing was compared. Correct the closure, or what it requires of the state.
      """
    case .skippedChange(let difference, let action):
      """
      Not looked at: what else \(action) changed (− before, + after).

      \(difference.indented)
      """
    default: ""
    }
  }

  private func after(_ action: String?) -> String { action.map { "after \($0)" } ?? "now" }

  private var actionText: String {
    switch self {
    case .waiting(let actions, let action):
      """
      \(action) was sent while \(counted(actions.count, "action waits", "actions wait")) to be \
      received:

      \(actions.joined(separator: "\n").indented)

      It was handled before them, which the system would not do. Receive them first with \
      “await store.receive(…)”, or pass over them with “await store.skipReceivedActions()”.
      """
    case .otherAction(let action, let expected, let difference):
      """
      \(action) came, and the test expected \(expected)\
      \(difference.map { " (− expected, + actual).\n\n\($0.indented)" } ?? ".")

      Actions come in the order in which they were caused. Either the reducer or an answer of the test \
      made another action, or the test receives in another order.
      """
    case .nothingWaits(let expected, let passed, let time, let living):
      nothingWaits(expected, passed, time, living)
    case .unreceived(let actions):
      """
      \(counted(actions.count, "action was", "actions were")) not received:

      \(actions.joined(separator: "\n").indented)

      What was sent or answered on this line caused \(actions.count == 1 ? "it" : "them"). Receive \
      with “await store.receive(…)”, or pass over it with “await store.skipReceivedActions()”.
      """
    case .nothingToReceive:
      """
      There was no action to pass over.

      Nothing was caused that was not received. Remove the call, or say strict: false.
      """
    case .skippedAction(let action, let difference):
      """
      Not received: \(action)\
      \(difference.isEmpty ? ", which changed nothing." : " (− before, + after).\n\n\(difference.indented)")
      """
    case .internalAction(let action, let reason):
      """
      \(action) was sent, and \(reason).

      It was not handled: in the system a client's is refused. Send the action that leads to it and \
      receive it with “await store.receive(…)”, answer the operation whose output it is, or remove \
      @Internal from the case.
      """
    case .complaint(let complaint, let action):
      """
      \(action): \(complaint)
      """
    default: ""
    }
  }

  private func nothingWaits(
    _ expected: String, _ passed: [String], _ time: Duration, _ living: [String]
  ) -> String {
    var text = "The test expected \(expected), and no action "
    text += passed.isEmpty ? "waits" : "of that kind waits"
    text += time == .zero ? ".\n" : ", not even after \(time).\n"
    if !passed.isEmpty {
      text += "\nThese were passed over:\n\n\(passed.joined(separator: "\n").indented)\n"
    }
    if living.isEmpty {
      text += """

        No effect is alive that could cause it. Either the reducer did not return the effect, or \
        it was cancelled.
        """
    } else {
      text += """

        These effects are alive:

        \(living.joined(separator: "\n").indented)

        An operation gives what the test answers: “await store.receive(effect: …, answer: …)”. A \
        timer needs time: “await store.advance(by: …)”.
        """
    }
    return text
  }

  private var effectText: String {
    switch self {
    case .operationNotStarted(let operation, let started):
      """
      The test expected the operation \(operation), and it was not started.

      \(started.isEmpty
        ? "No operation was started that the test has not received."
        : "Started and not yet received:\n\n\(started.joined(separator: "\n").indented)")

      Either the reducer did not return it, or the test received it before.
      """
    case .otherInput(let operation, let difference, let path):
      """
      The test expected the operation \(operation), and \(path) started it with another input \
      (− expected, + actual).

      \(difference.indented)

      Either the reducer makes the operation of other values than it should, or the test expects the \
      wrong ones.
      """
    case .unassertedOperation(let operation, let path, let isAlive):
      """
      \(path) started an operation that the test does not mention\(isAlive ? "" : "; it is over since"):

      \(operation.indented)

      Say so with “await store.receive(effect: …)”, with an answer if it is to end, or pass over it \
      with “await store.skipInFlightEffects()”.
      """
    case .answeredTooLate(let operation, let path):
      """
      \(operation) of \(path) was answered, and it is over.

      It ended with an earlier answer, was cancelled, or its feature was removed. In the system such \
      an output is dropped. Answer earlier, or remove the answer.
      """
    case .unheardFailure(let operation, let failure, let output, let path):
      """
      \(operation) of \(path) failed (\(failure)), and no action says so.

      To hear of failures let the case “\(output)” hold an Outcome; otherwise answer with an output \
      or with .cancelled.
      """
    case .running(let effect, let path):
      """
      An effect of \(path) is still alive at the end:

      \(effect.indented)

      It was started by what this line sent. Answer it, cancel it by the action that is meant to, \
      remove its feature, or pass over it with “await store.skipInFlightEffects()”.
      """
    case .nothingInFlight:
      """
      There was no effect to pass over.

      No operation and no timer is alive. Remove the call, or say strict: false.
      """
    case .skippedEffects(let effects):
      """
      Not looked at, and ended:

      \(effects.joined(separator: "\n").indented)
      """
    case .liveDependency(let key, let operation):
      """
      \(operation) reached the live \(key) in a test.

      Replace it: “.trial { $0[\(key).self] = … }”, or give \(key) a testValue.
      """
    case .replayDiffers(let record, let difference):
      """
      The recording leads elsewhere at \(record).

      \(difference.indented)

      The code does no more what it did when this was recorded. If that is meant, record anew; what is \
      recorded with another build can't be gone on with.
      """
    case .engine(let text): text
    case .unsupportedInputs:
      """
      The test replaced what reducers draw, and they run in processes of their own.

      There the time, identifiers and random numbers are those of the order. Compare with what \
      @Dependency gives in the closure that says the state, or test this with a TestStore.
      """
    default: ""
    }
  }

  private func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}

extension String {
  /// Four blanks before each line.
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
      .joined(separator: "\n")
  }
}
