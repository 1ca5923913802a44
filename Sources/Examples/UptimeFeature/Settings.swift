public import Penstock

/// What new targets are watched with.
@Reducer
public struct Settings {
  public struct State {
    public var defaults = ProbeSettings()

    public init() {}
  }

  public enum Action {
    /// Takes effect for targets that are added afterwards.
    case change(ProbeSettings)
    case setInterval(Int64)
  }

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .change(let defaults): state.defaults = defaults
      case .setInterval(let interval): state.defaults.interval = max(100, interval)
      }
      return .none
    }
  }
}
