/// An enum of features of which one is there at a time: what `@Reducer enum` makes.
public protocol CaseReducer: SendableMetatype {
  associatedtype State: CaseReducerState where State.StateReducer == Self
  associatedtype Action: JSONCodable & CasePathable

  /// Runs the feature of the case that the state is of.
  static var body: ComposedReducer<State, Action> { get }
}

/// The state of an enum of features.
public protocol CaseReducerState: JSONCodable, CasePathable, EphemeralState {
  associatedtype StateReducer: CaseReducer where StateReducer.State == Self
}
