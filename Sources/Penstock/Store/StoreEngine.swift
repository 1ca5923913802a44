/// What a store stands on: reducers in this process, or a router that is somewhere else.
package protocol StoreEngine<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  var state: State { get }
  var diagnostics: [String] { get }
  func effectsInFlight() async throws -> Int
  /// Actions are taken in the order of the calls.
  /// - Parameter field: the field that a binding sets: a newer one may replace it on its way.
  func send(_ path: Path, _ payload: Bytes, setting field: String?) -> StoreTask
  /// Adds to the diagnostics.
  func note(_ sentence: String)
  /// Tells the state now and after each change, one after the other; an error is the end.
  func observe(_ body: @escaping @Sendable (Result<State, StoreError>) -> Void) -> UInt64
  func stopObserving(_ id: UInt64)
  func settle() async throws
}
