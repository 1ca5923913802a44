/// The logic of a feature: how its state changes with each of its actions, and which effects follow.
///
/// A feature declares `State`, `Action` and a `body`; `@Reducer` adds the rest. A reducer has to be
/// pure: what it reads besides state and action comes from `@Dependency` (R13).
public protocol Reducer<State, Action>: Sendable {
  associatedtype State: JSONCodable
  associatedtype Action: JSONCodable & CasePathable
  associatedtype Body

  @ReducerBuilder<State, Action> var body: Body { get }

  /// Adds the mounts and the logic to a level. Features have `body` and leave this alone.
  func compile(into level: inout LevelBuilder<State, Action>)
}

/// `var body: some ReducerOf<Self>`.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  public var body: Body { fatalError("\(Self.self) has no body") }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  public func compile(into level: inout LevelBuilder<State, Action>) {
    body.compile(into: &level)
  }
}

/// A state whose stored fields can be mounts. `@ObservableState` writes the conformance.
public protocol ObservableState: JSONCodable {
  /// The stored field's name; nil for anything computed (R12).
  static func fieldName(of keyPath: PartialKeyPath<Self>) -> String?

  /// The version of the stored fields, 1 unless declared: raise it when they change, so that a new
  /// build goes on with states that an older one stored. `static let version = 2`.
  static var version: Int { get }

  /// Makes of the fields that an older version stored those of this one, before they are decoded.
  ///
  /// States of children that are features of their own have their own versions and are migrated after
  /// their parents'. Not needed where the defaults of new fields do.
  static func migrate(_ fields: inout StoredFields, from version: Int) throws
}

extension ObservableState {
  public static var version: Int { 1 }
  public static func migrate(_ fields: inout StoredFields, from version: Int) throws {}
}

/// What a level of the composed reducer is made of: mounts and own logic, both in written order.
public struct LevelBuilder<State: JSONCodable, Action: JSONCodable & CasePathable>: Sendable {
  package var mounts: [any Mount<State, Action>] = []
  package var logic: [Logic<State, Action>] = []
  /// Cases of bindings that a `BindingReducer` handles.
  var bindings: Set<String> = []

  init() {}

  mutating func append(contentsOf other: LevelBuilder) {
    mounts += other.mounts
    logic += other.logic
    bindings.formUnion(other.bindings)
  }
}

/// Reducers put together: what a builder gives.
public struct ComposedReducer<State: JSONCodable, Action: JSONCodable & CasePathable>: Reducer {
  var level = LevelBuilder<State, Action>()

  /// Nothing, for modifiers to add to.
  public init() {}

  public typealias Body = Never

  public func compile(into level: inout LevelBuilder<State, Action>) {
    level.append(contentsOf: self.level)
  }
}
