public import Penstock

/// The watched targets.
@Reducer
public struct Targets {
  public struct State {
    public var rows: IdentifiedArrayOf<Target.State> = []
    /// For targets that bring no settings; the root keeps them equal to `/settings`.
    public var defaults = ProbeSettings()

    public init() {}
  }

  public enum Action {
    case add(NewTarget)
    case load([NewTarget])
    case remove(String)
    /// Tells the parent what changed; observed by it.
    case report(TargetChange)
    case rows(IdentifiedActionOf<Target>)
  }

  static let loadedAtOnce = 250

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let target):
        return add(target, to: &state)

      case .load(let targets):
        // A transition may send only so much (1,024): long lists are taken in pieces.
        let rest = Array(targets.dropFirst(Self.loadedAtOnce))
        let effects = targets.prefix(Self.loadedAtOnce).map { add($0, to: &state) }
        return .merge(.merge(effects), rest.isEmpty ? .none : .send(.load(rest)))

      case .remove(let id):
        guard let target = state.rows.remove(id: id) else { return .none }
        return .send(
          .report(
            TargetChange(id: id, from: target.health.status, to: nil, reason: "removed")))

      case .rows(.element(_, .changed(let change))):
        return .send(.report(change))

      case .rows, .report:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) { Target() }
  }

  private func add(_ new: NewTarget, to state: inout State) -> Effect<Action> {
    let id = new.name ?? new.url
    let target = new.target(id: id, defaults: state.defaults)
    if state.rows[id: id] != nil {
      // The same mount goes on: what it has seen so far stays, its schedule begins again.
      state.rows.update(id: id) {
        $0.url = target.url
        $0.settings = target.settings
      }
      return .send(.rows(.element(id: id, action: .start)))
    }
    state.rows.append(target)
    return .merge(
      .send(.rows(.element(id: id, action: .start))),
      .send(.report(TargetChange(id: id, from: nil, to: .suspect, reason: "added"))))
  }
}

/// A target to be added; what is nil comes from the settings.
@JSONCodable
public struct NewTarget {
  public var url: String
  public var name: String? = nil
  public var interval: Int64? = nil
  public var timeout: Int64? = nil
  public var expectedStatus: Int? = nil
  public var expectedText: String? = nil
  public var failuresUntilDown: Int? = nil

  public init(url: String, name: String? = nil, interval: Int64? = nil) {
    self.url = url
    self.name = name
    self.interval = interval
  }

  func target(id: String, defaults: ProbeSettings) -> Target.State {
    var settings = defaults
    settings.interval = interval ?? defaults.interval
    settings.timeout = timeout ?? defaults.timeout
    settings.expectedStatus = expectedStatus ?? defaults.expectedStatus
    settings.expectedText = expectedText ?? defaults.expectedText
    settings.failuresUntilDown = failuresUntilDown ?? defaults.failuresUntilDown
    return Target.State(id: id, url: url, settings: settings)
  }
}
