package import Synchronization

/// A logger for reducers: `logger("paid")`. Silent while a run is speculative or a replay.
public struct ReducerLogger: Sendable {
  /// Where the lines go; a process sets it once.
  package static let sink = Mutex<@Sendable (Path, String) -> Void>({ path, message in
    print("\(path) \(message)")
  })

  public func callAsFunction(_ message: @autoclosure () -> String) {
    let inputs = TransitionInputs.required
    if inputs.isQuiet { return }
    let write = ReducerLogger.sink.withLock { $0 }
    write(inputs.path, message())
  }
}
