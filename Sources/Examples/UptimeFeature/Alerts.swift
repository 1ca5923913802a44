public import Penstock

/// What needs somebody's attention. Mounted while a target is down, gone when none is.
@Reducer
public struct Alerts {
  public struct State {
    public var rows: IdentifiedArrayOf<Alert> = []
    /// How often unacknowledged alerts were repeated since the first came.
    public var reminders = 0
  }

  public enum Action {
    case appeared
    case remind
    case acknowledge(String)
  }

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .appeared:
        return .every(.seconds(10), .remind)
      case .remind:
        if state.rows.contains(where: { !$0.isAcknowledged }) { state.reminders += 1 }
        return .none
      case .acknowledge(let id):
        state.rows.update(id: id) { $0.isAcknowledged = true }
        return .none
      }
    }
  }
}

@JSONCodable
public struct Alert: Identifiable {
  /// The target's.
  public var id: String
  /// Microseconds since 1970.
  public var since: Int64
  public var reason: String
  public var isAcknowledged = false
}
