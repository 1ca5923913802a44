public import Penstock

/// Two devices beside each other, each a feature.
@Reducer
public struct Bench {
  @ObservableState
  public struct State {
    public var left = Peripheral.State(name: "left-1")
    public var right = Peripheral.State(name: "right-4")
    /// Devices that were given up.
    public var failures = 0

    public init() {}
  }

  public enum Action {
    case left(Peripheral.Action)
    case right(Peripheral.Action)
    case connectBoth
    case disconnectBoth
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Scope(state: \.left, action: \.left) { Peripheral() }
    Scope(state: \.right, action: \.right) { Peripheral() }
    Reduce { state, action in
      switch action {
      case .connectBoth:
        return .merge(.send(.left(.connect)), .send(.right(.connect)))
      case .disconnectBoth:
        return .merge(.send(.left(.disconnect)), .send(.right(.disconnect)))
      case .left(.event):
        if case .failed = state.left.connection { state.failures += 1 }
        return .none
      case .right(.event):
        if case .failed = state.right.connection { state.failures += 1 }
        return .none
      case .left, .right:
        return .none
      }
    }
  }
}

public struct PeripheralApp: PenstockApp {
  public static let name = "peripheral"
  public static let operations: [any WorkerOperation.Type] = [ConnectDevice.self]

  public var root: Bench { Bench() }
  public var initialState: Bench.State { Bench.State() }
  public var samples: [Sample<Bench.Action>] {
    [
      .action(.connectBoth), .action(.disconnectBoth), .action(.left(.connect)),
      .action(.right(.connect)), .action(.left(.disconnect)), .action(.right(.disconnect)),
      .action(.left(.choose("left-0"))), .action(.right(.choose("right-2"))),
      .output(.connected, of: ConnectDevice.self), .output(.reading(7), of: ConnectDevice.self),
      .output(.reading(9), of: ConnectDevice.self),
      .output(.lost("out of reach"), of: ConnectDevice.self),
    ]
  }

  public init() {}
}
