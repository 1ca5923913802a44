/// What `send` gives back: the action and everything that followed from it.
public struct StoreTask: Sendable {
  private let committedBody: @Sendable () async throws -> UInt64
  private let finishBody: @Sendable () async throws -> Void
  private let cancelBody: @Sendable (Extent) -> Void

  /// What of an action is cancelled.
  package enum Extent: Sendable {
    /// The effects that its own transition started.
    case own
    /// Those, and what followed from them and from its sends.
    case tree
  }

  package init(
    committed: @escaping @Sendable () async throws -> UInt64,
    finish: @escaping @Sendable () async throws -> Void,
    cancel: @escaping @Sendable (Extent) -> Void
  ) {
    committedBody = committed
    finishBody = finish
    cancelBody = cancel
  }

  /// Returns the action's number in the order when it is committed and the store's `state` has it.
  ///
  /// In one process that is at once. Behind a router it means that the action is durable (unless the
  /// router runs without durability) and applied once. While a router is away this waits for it;
  /// whoever does not want to, cancels the waiting task, which leaves the action on its way.
  /// - Throws: `StoreError`. A code of a refusal or a void says that the action was not applied and
  ///   never will be; `unknown` that the connection ended before anybody could say.
  @discardableResult
  public func committed() async throws -> UInt64 { try await committedBody() }

  /// Returns when no effect that followed from the action is alive.
  ///
  /// To end them with the task that waits, cancel them: `withTaskCancellationHandler { try await
  /// task.finish() } onCancel: { task.cancelTree() }`.
  /// - Throws: what `committed` throws, and `CancellationError` when the task that waits is cancelled,
  ///   which leaves the effects as they are.
  public func finish() async throws { try await finishBody() }

  /// Ends the effects that the action itself started, and none that followed from them.
  public func cancel() { cancelBody(.own) }

  /// Ends all effects and timers that followed from the action: its own, those of the actions that it
  /// sent, and so on. What another action started is not touched.
  ///
  /// Of a connected store this goes on until nothing is left, also of what is under way meanwhile.
  public func cancelTree() { cancelBody(.tree) }
}
