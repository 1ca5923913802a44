/// Logic that is given values which other features share (R15).
///
/// They are as of the record before, in every placement. Where an owner runs in another process, an
/// action of this feature waits for what the owner still has to answer.
///
/// A pack of no values makes a closure's `state` immutable, so one value has an initialiser of its own.
extension Reduce {
  /// Logic for the feature's own actions and all actions of its children.
  public init<Value>(
    reading value: SharedValue<Value>,
    reduce: @escaping @Sendable (_ state: inout State, _ action: Action, Value) -> Effect<Action>
  ) {
    self.init(observed: nil, reads: [value.read]) { reduce(&$0, $1, value.current) }
  }

  /// The same with several values.
  public init<First, each Value>(
    reading first: SharedValue<First>, _ rest: repeat SharedValue<each Value>,
    reduce:
      @escaping @Sendable (
        _ state: inout State, _ action: Action, First, repeat each Value
      ) -> Effect<Action>
  ) {
    self.init(observed: nil, reads: Self.reads(first, repeat each rest)) {
      reduce(&$0, $1, first.current, repeat (each rest).current)
    }
  }

  /// Logic for the feature's own actions and, of its children's, those of the named cases.
  public init<Case, each OtherCase, Value>(
    observing firstCase: CaseKeyPath<Action, Case>,
    _ cases: repeat CaseKeyPath<Action, each OtherCase>,
    reading value: SharedValue<Value>,
    reduce: @escaping @Sendable (_ state: inout State, _ action: Action, Value) -> Effect<Action>
  ) {
    self.init(observed: Self.observed(firstCase, repeat each cases), reads: [value.read]) {
      reduce(&$0, $1, value.current)
    }
  }

  /// The same with several values.
  public init<Case, each OtherCase, First, each Value>(
    observing firstCase: CaseKeyPath<Action, Case>,
    _ cases: repeat CaseKeyPath<Action, each OtherCase>,
    reading first: SharedValue<First>, _ rest: repeat SharedValue<each Value>,
    reduce:
      @escaping @Sendable (
        _ state: inout State, _ action: Action, First, repeat each Value
      ) -> Effect<Action>
  ) {
    self.init(
      observed: Self.observed(firstCase, repeat each cases),
      reads: Self.reads(first, repeat each rest)
    ) {
      reduce(&$0, $1, first.current, repeat (each rest).current)
    }
  }

  private static func reads<First, each Value>(
    _ first: SharedValue<First>, _ rest: repeat SharedValue<each Value>
  ) -> [SharedRead] {
    var reads = [first.read]
    for value in repeat each rest { reads.append(value.read) }
    return reads
  }

  private init(
    observed: [Logic<State, Action>.Observed]?, reads: [SharedRead],
    _ logic: @escaping @Sendable (inout State, Action) -> Effect<Action>
  ) {
    self.init(
      logic: Logic(observed: observed, reads: reads, reduce: logic) {
        state, payload, patch throws(JSONError) in
        try Logic.run(logic, &state, payload, &patch)
      })
  }
}
