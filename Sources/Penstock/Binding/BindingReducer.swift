/// Sets fields of the state: what comes in the case is put where it belongs.
///
/// ```swift
/// BindingReducer(action: .binding)
/// Reduce { state, action in … case .binding(.query): … }
/// ```
/// The logic that stands after it sees the new value.
public struct BindingReducer<State: ObservableState, Action: JSONCodable & CasePathable>: Reducer {
  private let path: CasePath<Action, BindingAction<State>>

  public init(action: CaseKeyPath<Action, BindingAction<State>>) {
    path = Action.allCasePaths[keyPath: action]
  }

  public typealias Body = Never

  public func compile(into level: inout LevelBuilder<State, Action>) {
    let path = path
    level.bindings.insert(path.names[0])
    level.logic.append(
      Logic(observed: []) { state, action in
        guard let binding = path.extract(from: action) else { return .none }
        do throws(JSONError) {
          try binding.apply(to: &state)
          return .none
        } catch {
          return Effect([.diagnostic(Self.unfit(binding, error))])
        }
      })
  }

  private static func unfit(_ binding: BindingAction<State>, _ error: JSONError) -> String {
    """
    A binding of “\(binding.field)” does not fit \(State.self): \(error.message). The state stays as \
    it was. The sender is of another version, or wrote the action by hand.
    """
  }
}
