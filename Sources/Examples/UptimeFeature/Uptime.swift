public import Penstock

/// Watches HTTP targets: the root adds totals and the incident log to its features.
@Reducer
public struct Uptime {
  public struct State {
    public var settings = Settings.State()
    public var targets = Targets.State()
    public var alerts: Alerts.State? = nil
    public var totals = Totals()
    /// The youngest last.
    public var incidents: [Incident] = []

    public init() {}
  }

  public enum Action {
    case settings(Settings.Action)
    case targets(Targets.Action)
    case alerts(Alerts.Action)
    case clearIncidents
  }

  /// Older incidents are forgotten.
  public static let maximumIncidents = 100

  @Dependency(\.microseconds) var now

  public init() {}

  public var body: some ReducerOf<Self> {
    Scope(state: \.settings, action: \.settings) { Settings() }
    Scope(state: \.targets, action: \.targets) { Targets() }
    // Probes commit without the root: it observes reports and settings only.
    Reduce(observing: \.targets.report, \.settings) { state, action in
      switch action {
      case .targets(.report(let change)):
        return note(change, in: &state)
      case .settings:
        if state.targets.defaults != state.settings.defaults {
          state.targets.defaults = state.settings.defaults
        }
        return .none
      case .clearIncidents:
        state.incidents.removeAll { $0.until != nil }
        return .none
      case .targets, .alerts:
        return .none
      }
    }
    .ifLet(\.alerts, action: \.alerts) { Alerts() }
  }

  private func note(_ change: TargetChange, in state: inout State) -> Effect<Action> {
    state.totals.count(change)
    if change.from == .down { close(change.id, in: &state) }
    guard change.to == .down else { return .none }
    let now = now
    state.incidents.append(Incident(target: change.id, since: now, reason: change.reason))
    if state.incidents.count > Self.maximumIncidents { state.incidents.removeFirst() }
    let alert = Alert(id: change.id, since: now, reason: change.reason)
    guard state.alerts == nil else {
      state.alerts?.rows.updateOrAppend(alert)
      return .none
    }
    state.alerts = Alerts.State(rows: [alert])
    return .send(.alerts(.appeared))
  }

  private func close(_ id: String, in state: inout State) {
    if let index = state.incidents.lastIndex(where: { $0.target == id && $0.until == nil }) {
      state.incidents[index].until = now
    }
    state.alerts?.rows.remove(id: id)
    if state.alerts?.rows.isEmpty == true { state.alerts = nil }
  }
}

/// How many targets have which status.
@JSONCodable
public struct Totals {
  public var up = 0
  public var suspect = 0
  public var down = 0
  public var incidents = 0

  public init() {}

  mutating func count(_ change: TargetChange) {
    if let from = change.from { add(-1, to: from) }
    if let to = change.to { add(1, to: to) }
    if change.to == .down { incidents += 1 }
  }

  private mutating func add(_ count: Int, to status: Status) {
    switch status {
    case .up: up += count
    case .suspect: suspect += count
    case .down: down += count
    }
  }
}

/// A time during which a target was down; microseconds since 1970.
@JSONCodable
public struct Incident {
  public var target: String
  public var since: Int64
  public var until: Int64? = nil
  public var reason: String
}
