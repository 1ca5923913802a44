/// What a store stands on: reducers in this process, or a router that is somewhere else.
package protocol StoreEngine<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  var state: State { get }
  var diagnostics: [String] { get }
  func effectsInFlight() async throws -> Int
  /// Actions are taken in the order of the calls.
  func send(_ path: Path, _ payload: Bytes) -> StoreTask
  /// Adds to the diagnostics.
  func note(_ sentence: String)
  /// Tells the state now and after each change, one after the other; an error is the end.
  func observe(_ body: @escaping @Sendable (Result<State, StoreError>) -> Void) -> UInt64
  func stopObserving(_ id: UInt64)
  func settle() async throws
}
