public import FoundationEssentials
public import Penstock
import PenstockCore

/// Runs a feature step by step and fails when something happens that the test did not say.
///
/// ```swift
/// let store = TestStore(initialState: Fact.State(number: 7)) { Fact() }
/// await store.send(.askTapped) { $0.isLoading = true }
/// await store.receive(effect: NumberFact(number: 7), answer: .output("7 is prime"))
/// await store.receive(\.response.success, "7 is prime") {
///   $0.isLoading = false
///   $0.fact = "7 is prime"
/// }
/// ```
///
/// No operation runs, no time passes and no task is started: what an operation gives is what the test
/// answers, timers tick when the test advances the time, and all of it waits until it is received.
/// Actions are received in the order in which the system would handle them. Each action is reduced
/// twice, the second time on a decoded state, so that what is not a function of state and action is
/// found. The store checks at its end, when nobody holds it any more, that nothing is left over.
open class TestStore<State: JSONCodable, Action: JSONCodable & CasePathable> {
  /// Whether everything has to be said.
  public var exhaustivity = Exhaustivity.on
  /// What reducers get from `@Dependency`; a change counts from the next action on.
  public var inputs: TestInputs {
    didSet { if !run.takesInputs { report(.unsupportedInputs, creation) } }
  }

  var run: any TestEngine<State, Action>
  /// The lines that sent what all else followed from.
  var places: [UInt64: Place] = [:]
  private let creation: Place
  private let reporter = Reporter.current

  /// - Parameters:
  ///   - now: order time at the beginning; `advance(by:)` moves it.
  ///   - operations: those of the application, so that one that is not among them is a failure; nil
  ///     when the feature is tested for itself.
  public init<R: Reducer>(
    initialState: @autoclosure () -> State, now: Date = Date(timeIntervalSince1970: 0),
    inputs: TestInputs = TestInputs(), operations: [any WorkerOperation.Type]? = nil,
    reducer: () -> R, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) where R.State == State, R.Action == Action {
    self.inputs = inputs
    creation = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let reducer = reducer()
    let microseconds = Int64((now.timeIntervalSince1970 * 1_000_000).rounded())
    run = TestRun(
      ReducerBuilder<State, Action>.buildExpression(reducer), initialState, now: microseconds,
      inputs: inputs, served: operations.map { OperationRegistry($0) })
  }

  /// Tests a whole application: its root, its first state and its operations.
  /// - Parameter initialState: how it begins; nil for the application's own first state.
  public convenience init<App: PenstockApp>(
    _ app: App, initialState: State? = nil, now: Date = Date(timeIntervalSince1970: 0),
    inputs: TestInputs = TestInputs(), fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) where App.Root.State == State, App.Root.Action == Action {
    self.init(
      initialState: initialState ?? app.initialState, now: now, inputs: inputs,
      operations: App.operations, reducer: { app.root }, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  package init(engine: any TestEngine<State, Action>, place: Place) {
    inputs = TestInputs()
    creation = place
    run = engine
  }

  /// The state after all that was sent and received.
  public var state: State { run.state }

  /// Order time.
  public var now: Date { Date(timeIntervalSince1970: Double(run.now) / 1_000_000) }

  deinit {
    if exhaustivity == .on { checkEnd(nil) }
  }

  // MARK: Sending

  /// Sends an action as a client does.
  /// - Parameter expectation: turns the state before into the one that is expected after. With an
  ///   exhaustivity of off it is given the state after, and what it does not touch is not looked at.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ action: Action, assert expectation: ((inout State) throws -> Void)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) async -> TestStoreTask {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    if let found = run.internalCase(action) {
      report(.internalAction(text(action), "\(found)"), place)
      return TestStoreTask(cancel: { _ in }, finish: { _ in })
    }
    passOver(before: action, place)
    guard
      let step = attempt(place, { () throws(TestEngineFailure) in try run.send(action, inputs) })
    else { return TestStoreTask(cancel: { _ in }, finish: { _ in }) }
    places[step.sequence] = place
    check(step, of: action, expectation, place)
    return TestStoreTask(
      cancel: { [weak self] extent in self?.cancelEffects(of: step.sequence, extent, place) },
      finish: { [weak self] in self?.checkEnd($0, of: step.sequence) })
  }

  /// What waits has to be received before the next action is sent.
  private func passOver(before action: Action, _ place: Place) {
    if run.waiting.isEmpty { return }
    if exhaustivity == .on {
      return report(.waiting(run.waiting.map { text(run.action($0)) }, before: text(action)), place)
    }
    skipWaiting(place)
  }

  private func cancelEffects(of sequence: UInt64, _ extent: StoreTask.Extent, _ place: Place) {
    let meant = run.living.filter { effect in
      switch extent {
      case .own: effect.id.sequence == sequence
      case .tree: effect.correlation == sequence
      }
    }
    attempt(place) { () throws(TestEngineFailure) in try run.endNow(meant.map(\.id)) }
  }

  /// Lets the engine do something; reports when it can't.
  @discardableResult
  func attempt<Result>(
    _ place: Place, _ body: () throws(TestEngineFailure) -> Result
  ) -> Result? {
    do {
      return try body()
    } catch {
      report(.engine(error.text), place)
      return nil
    }
  }

  /// Moves order time; each timer that is due meanwhile makes an action that waits to be received.
  public nonisolated(nonsending) func advance(
    by duration: Duration, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    advance(by: duration.microseconds, place)
  }

  func advance(by microseconds: Int64, _ place: Place) {
    attempt(place) { () throws(TestEngineFailure) in try run.advance(by: microseconds) }
  }

  /// Looks at the state between two actions.
  /// - Parameter expectation: has to leave the state as it is when exhaustivity is on.
  public func assert(
    _ expectation: (inout State) throws -> Void, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    var expected = state
    do {
      try expectation(&expected)
    } catch {
      return report(.thrown("\(error)", of: nil), place)
    }
    if expected != state {
      report(.state(Difference(expected: expected, actual: state).text, of: nil), place)
    }
  }

  /// Runs a part of a test with another exhaustivity.
  public nonisolated(nonsending) func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity, operation: () async throws -> Result
  ) async rethrows -> Result {
    let before = self.exhaustivity
    defer { self.exhaustivity = before }
    self.exhaustivity = exhaustivity
    return try await operation()
  }

  // MARK: Ending

  /// Checks that nothing waits and nothing runs, as the end of the test does.
  public nonisolated(nonsending) func finish(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    if exhaustivity == .on { checkEnd(place) } else { skipWaiting(place) }
  }

  /// - Parameters:
  ///   - place: the line that asked; nil at the end of the test.
  ///   - correlation: the action whose consequences alone are looked at.
  private func checkEnd(_ place: Place?, of correlation: UInt64? = nil) {
    func isMeant(_ number: UInt64) -> Bool { correlation.map { $0 == number } ?? true }
    let waiting = run.waiting.filter { isMeant($0.correlation) }
    if !waiting.isEmpty {
      let origin = places[waiting[0].correlation] ?? creation
      report(.unreceived(waiting.map { text(run.action($0)) }), place ?? origin)
    }
    for operation in run.operations where !operation.isAsserted && isMeant(operation.correlation) {
      report(
        .unassertedOperation(
          operation.text, at: operation.start.path, isAlive: run.effect(operation.id) != nil),
        places[operation.correlation] ?? creation)
    }
    let unasserted = run.operations.filter { !$0.isAsserted }.map(\.id)
    for living in run.living
    where isMeant(living.correlation) && !unasserted.contains(living.id) {
      // What ends an effect is on its way when it is the action that waits.
      if run.waiting.contains(where: { $0.effect == living.id && $0.isLast(of: living) }) {
        continue
      }
      report(
        .running(living.start.text, at: living.start.path), places[living.correlation] ?? creation)
    }
    // The end of the test does not say it once more.
    if correlation == nil { run.abandon() }
  }

  func report(_ failure: FailureText, _ place: Place, _ kind: Reporter.Kind = .failure) {
    reporter.report(kind, failure.text, place)
  }

  func text(_ value: Action) -> String { DumpNode(value).line }
}

/// A test store of a feature.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action>
