package import Penstock
package import PenstockCore

/// What a test store drives: something that puts actions into one order and reduces them.
///
/// `TestRun` is the replay in this process. Another one runs a system of processes.
package protocol TestEngine<State, Action> {
  associatedtype State: JSONCodable
  associatedtype Action: JSONCodable & CasePathable
  associatedtype App: PenstockApp where App.Root.Action == Action

  /// Whose addresses and codings actions have.
  var application: Application<App> { get }
  /// The state after all that was sent and received.
  var state: State { get }
  /// Order time, in microseconds since 1970.
  var now: Int64 { get }
  /// What was caused and not received, in its order.
  var waiting: [WaitingAction] { get }
  /// The operations in the order of their starts.
  var operations: [StartedOperation] { get set }
  /// The operations and timers that are alive, oldest first.
  var living: [LivingEffect] { get }
  /// The moment of the next tick; nil when no timer is alive, or when time is not the test's.
  var nextDue: Int64? { get }
  /// Whether the test says what reducers draw (`TestStore.inputs`).
  var takesInputs: Bool { get }

  mutating func send(
    _ action: Action, _ inputs: TestInputs
  ) throws(TestEngineFailure) -> TestStep<State>
  /// Reduces what waits longest; nil when nothing does.
  mutating func receive(_ inputs: TestInputs) throws(TestEngineFailure) -> TestStep<State>?
  mutating func advance(by duration: Int64) throws(TestEngineFailure)
  /// Lets a living operation give something; what it becomes waits to be received.
  mutating func give(_ given: GivenResult, of id: EffectID) throws(TestEngineFailure)
  /// Ends the effects at once, before all that waits.
  mutating func endNow(_ ids: [EffectID]) throws(TestEngineFailure)
  /// Forgets what waits and what is alive: the test is over.
  mutating func abandon()
}

extension TestEngine {
  /// The case because of which the action can't be sent from outside.
  func internalCase(_ action: Action) -> InternalCase? {
    let (path, payload) = application.address(action)
    return application.internalCase(path, payload)
  }

  package func action(_ waiting: WaitingAction) -> Action {
    do {
      return try application.action(at: waiting.path, waiting.payload)
    } catch {
      preconditionFailure("What a reducer made can't be read: \(error)")
    }
  }

  /// The action that would be reduced next.
  var nextAction: Action? { waiting.first.map(action) }

  func effect(_ id: EffectID) -> LivingEffect? { living.first { $0.id == id } }
}
