public import PenstockCore

/// One function of a level's own logic and the child actions that it is called for.
@usableFromInline
package struct Logic<State: JSONCodable, Action: JSONCodable & CasePathable>: Sendable {
  /// Decodes an action from its payload, reduces it and, with a builder, tells what changed.
  @usableFromInline
  package typealias Run =
    @Sendable (inout State, Bytes, inout PatchBuilder?) throws(JSONError)
    -> Effect<Action>

  @usableFromInline
  package struct Observed: Sendable {
    let names: [String]
    let matches: @Sendable (Action) -> Bool

    init(names: [String], matches: @escaping @Sendable (Action) -> Bool) {
      self.names = names
      self.matches = matches
    }
  }

  /// When it runs within a transition of its level (R8).
  package enum Phase: CaseIterable, Sendable { case structureIn, own, structureOut }

  /// nil is all of them.
  let observed: [Observed]?
  /// Values of other features that it reads.
  let reads: [SharedRead]
  let phase: Phase
  /// The last parameter says whether the action is the feature's own, not a child's.
  let reduce: @Sendable (inout State, Action, Bool) -> Effect<Action>
  /// The same for an action of the level itself, from its payload on. It is made where the feature's
  /// types are known, so that nothing in it looks them up.
  let run: Run?

  init(
    observed: [Observed]?, phase: Phase = .own, reads: [SharedRead] = [],
    reduce: @escaping @Sendable (inout State, Action) -> Effect<Action>, run: Run? = nil
  ) {
    self.init(observed: observed, phase: phase, reads: reads, run: run) { state, action, _ in
      reduce(&state, action)
    }
  }

  init(
    observed: [Observed]?, phase: Phase = .own, reads: [SharedRead] = [], run: Run? = nil,
    reduce: @escaping @Sendable (inout State, Action, Bool) -> Effect<Action>
  ) {
    self.observed = observed
    self.reads = reads
    self.phase = phase
    self.reduce = reduce
    self.run = run
  }

  @usableFromInline
  init(
    observed: [Observed]?,
    reducing reduce: @escaping @Sendable (inout State, Action) -> Effect<Action>,
    run: @escaping Run
  ) {
    self.init(observed: observed, phase: .own, reduce: reduce, run: run)
  }

  /// What `run` is made of.
  @inlinable
  static func run(
    _ reduce: @Sendable (inout State, Action) -> Effect<Action>, _ state: inout State,
    _ payload: Bytes, _ patch: inout PatchBuilder?
  ) throws(JSONError) -> Effect<Action> {
    var reader = JSONReader(payload)
    let action = try Action(from: &reader)
    try reader.finish()
    if patch == nil { return reduce(&state, action) }
    let before = state
    let effect = reduce(&state, action)
    if before != state { State.difference(from: before, to: state, into: &patch!) }
    return effect
  }

  func isCalled(for action: Action, isOwn: Bool) -> Bool {
    guard !isOwn, let observed else { return true }
    return observed.contains { $0.matches(action) }
  }
}
