/// Composes reducers as they are written; conditions are those of the moment of composition.
@resultBuilder
public enum ReducerBuilder<State: JSONCodable, Action: JSONCodable & CasePathable> {
  public typealias Composed = ComposedReducer<State, Action>

  public static func buildExpression<R: Reducer>(_ reducer: R) -> Composed
  where R.State == State, R.Action == Action {
    var composed = Composed()
    reducer.compile(into: &composed.level)
    return composed
  }

  public static func buildBlock(_ parts: Composed...) -> Composed { buildArray(parts) }
  public static func buildOptional(_ part: Composed?) -> Composed { part ?? Composed() }
  public static func buildEither(first: Composed) -> Composed { first }
  public static func buildEither(second: Composed) -> Composed { second }
  public static func buildLimitedAvailability(_ part: Composed) -> Composed { part }

  public static func buildArray(_ parts: [Composed]) -> Composed {
    var composed = Composed()
    for part in parts { composed.level.append(contentsOf: part.level) }
    return composed
  }
}

/// Groups reducers, for example to modify them together.
public struct CombineReducers<State: JSONCodable, Action: JSONCodable & CasePathable>: Reducer {
  private let composed: ComposedReducer<State, Action>

  public init(
    @ReducerBuilder<State, Action> _ build: () -> ComposedReducer<State, Action>
  ) { composed = build() }

  public typealias Body = Never

  public func compile(into level: inout LevelBuilder<State, Action>) {
    composed.compile(into: &level)
  }
}

/// Does nothing.
public struct EmptyReducer<State: JSONCodable, Action: JSONCodable & CasePathable>: Reducer {
  public init() {}
  public typealias Body = Never
  public func compile(into level: inout LevelBuilder<State, Action>) {}
}
