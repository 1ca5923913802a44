package import PenstockCore

/// Everything that peers and router say to each other, above the link that makes it reliable and
/// ordered. The bytes are specified in `Protocols/`.
///
/// What is large and rare is boxed: a message is moved several times.
package enum Message: Hashable, Sendable {
  // Any peer
  indirect case hello(Hello)
  indirect case welcome(Welcome)
  /// The router (or a peer) does not go on with this peer; the link ends.
  indirect case refused(Refusal)
  case goodbye

  // Client to router
  case submit(Submit)
  /// All outcomes up to this client sequence are known to the client; the router may forget them.
  case confirm(upTo: UInt64)
  case subscribe(id: UInt32, path: Path)
  case unsubscribe(id: UInt32)
  /// A question of the control plane (`ps`, `ready`, …); body and answer are JSON.
  case request(id: UInt32, verb: String, body: Bytes)

  // Router to client
  case outcome(ClientOutcome)
  indirect case state(StateMessage)
  case reply(id: UInt32, status: UInt16, body: Bytes)

  // Router to feature
  /// Forget everything and stand at `sequence` with this state; nil is "not mounted".
  case reset(sequence: UInt64, epoch: Epoch, state: Bytes?)
  /// Make the root's initial state, for record 0.
  case makeInitialState(now: Int64, seed: UInt64)
  /// Make of a whole state of another schema, whose description is given, one of this build (J-14).
  indirect case migrateState(Bytes, from: Bytes)
  case mount(sequence: UInt64, epoch: Epoch, state: Bytes)
  case unmount(sequence: UInt64, epoch: Epoch)
  /// Changes that others made to this node's state tree: mirrors of children, an ancestor's writes.
  case patch(sequence: UInt64, epoch: Epoch, patch: Patch)
  case work(Work)
  case marker(Marker)
  /// Drop all items above `sequence` and stand there again.
  case squash(epoch: Epoch, sequence: UInt64)
  /// Everything up to here is retired: no squash goes below it.
  case retired(sequence: UInt64)
  /// Catching up ends here: answer `ready` once everything before is applied.
  case caughtUp(sequence: UInt64)

  // Feature to router
  /// The initial or migrated state, encoded, and all dynamic mounts that it holds.
  indirect case initialState(Bytes, mounts: [MountChange])
  case answer(Answer)
  indirect case markerAnswer(MarkerAnswer)
  case ready(sequence: UInt64)

  // Router to worker
  indirect case assign(Assignment)
  indirect case cancelEffect(effect: EffectID, attempt: Attempt)
  /// The output (or the end) with this index is durable; the worker may forget it.
  indirect case outputAccepted(effect: EffectID, attempt: Attempt, index: UInt32)
  /// The attempt is superseded or the effect is gone: stop and forget it.
  indirect case attemptRefused(effect: EffectID, attempt: Attempt)

  // Worker to router
  indirect case output(WorkerOutput)
  indirect case effectEnded(effect: EffectID, attempt: Attempt, index: UInt32, result: EffectResult)
  indirect case heartbeat(effect: EffectID, attempt: Attempt, cursor: Bytes)
  /// No new work please; what has not been started is handed back as `effectEnded(handedBack)`.
  case draining
}
