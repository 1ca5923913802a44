public import Penstock

/// A device's connection as the states that it really has, each with what only it knows.
@Reducer
public struct Peripheral {
  @ObservableState
  public struct State {
    public var name: String
    public var connection = Connection.idle
    /// Connections that were made.
    public var connections = 0

    public init(name: String = "sensor") { self.name = name }
  }

  public enum Action {
    case connect
    case disconnect
    /// Another device; only while there is no connection.
    case choose(String)
    case event(Outcome<DeviceEvent>)
    case tryAgain
  }

  enum CancelID { case connection }

  /// Tries in a row before it is given up.
  static let mostAttempts = 3

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch (action, state.connection) {
      case (.connect, .idle), (.connect, .failed):
        return connect(&state, attempt: 1)

      case (.tryAgain, .waiting(let attempt)):
        return connect(&state, attempt: attempt + 1)

      case (.disconnect, _):
        state.connection = .idle
        return .cancel(id: CancelID.connection)

      case (.choose(let name), .idle), (.choose(let name), .failed):
        state.name = name
        return .none

      case (.event(.success(.connected)), .connecting):
        state.connection = .connected(Readings())
        state.connections += 1
        return .none

      case (.event(.success(.reading(let value))), .connected(var readings)):
        readings.take(value)
        state.connection = .connected(readings)
        return .none

      case (.event(.success(.lost(let reason))), .connecting(let attempt)):
        return lost(&state, attempt, reason)
      case (.event(.success(.lost(let reason))), .connected):
        // A connection that was made begins to count anew.
        return lost(&state, 0, reason)

      case (.event(.failure(let failure)), .connecting(let attempt)):
        return lost(&state, attempt, failure.message)
      case (.event(.failure(let failure)), .connected):
        return lost(&state, 0, failure.message)

      case (.connect, _), (.choose, _), (.event, _), (.tryAgain, _):
        // What the state does not allow changes nothing.
        return .none
      }
    }
  }

  private func connect(_ state: inout State, attempt: Int) -> Effect<Action> {
    state.connection = .connecting(attempt: attempt)
    return .run(ConnectDevice(name: state.name, attempt: attempt), to: \.event)
      .timeout(.seconds(10))
      .cancellable(id: CancelID.connection, cancelInFlight: true)
  }

  private func lost(_ state: inout State, _ attempt: Int, _ reason: String) -> Effect<Action> {
    guard attempt < Self.mostAttempts else {
      state.connection = .failed(reason: reason)
      return .cancel(id: CancelID.connection)
    }
    state.connection = .waiting(attempt: attempt)
    return .after(.milliseconds(50), .tryAgain)
      .cancellable(id: CancelID.connection, cancelInFlight: true)
  }
}

@JSONCodable
public enum Connection {
  case idle
  case connecting(attempt: Int)
  case connected(Readings)
  /// After so many tries in a row, until the next one.
  case waiting(attempt: Int)
  case failed(reason: String)
}

@JSONCodable
public struct Readings {
  public var count = 0
  public var last: Int? = nil

  public init() {}

  mutating func take(_ value: Int) {
    count += 1
    last = value
  }
}
