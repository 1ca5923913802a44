public import Penstock

/// Connects a device and stays with it: its events are the outputs.
@Operation
public struct ConnectDevice: StreamingOperation {
  public var name: String
  /// Which try this is, counted from 1.
  public var attempt: Int

  public func run(
    _ context: OperationContext, output: OutputSink<DeviceEvent>
  ) async throws {
    let events = context.dependencies[DeviceDriver.self].events(name, attempt)
    for event in events.dropFirst(Int(context.nextIndex)) { try await output(event) }
  }
}

@JSONCodable
public enum DeviceEvent {
  case connected
  case reading(Int)
  case lost(String)
}
