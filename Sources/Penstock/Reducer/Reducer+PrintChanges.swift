extension Reducer {
  /// Logs each action that the feature's own logic gets, and what that changed, field by field.
  ///
  /// It writes where `@Dependency(.logger)` does, and like that it is silent while a run is
  /// speculative or a replay.
  public func _printChanges() -> ComposedReducer<State, Action> {
    composed.wrapping { state, action, run in
      let before = state
      let effect = run(&state, action)
      ReducerLogger()(ChangeText(action, from: before, to: state).text)
      return effect
    }
  }
}

/// An action and the changes that it made, as a person reads them.
struct ChangeText {
  let text: String

  init<State: JSONCodable>(_ action: some JSONCodable, from old: State, to new: State) {
    var lines = ["received \(Self.text(of: JSONWriter.bytes(of: action)))"]
    let patch = State.patch(from: old, to: new)
    if patch.isEmpty { lines.append("  (no change)") }
    for operation in patch.operations {
      let place = operation.path.isEmpty ? "state" : operation.path.joined(separator: ".")
      switch operation.change {
      case .set(let bytes): lines.append("  \(place): \(Self.text(of: bytes))")
      case .insert(let bytes, let index):
        lines.append("  \(place): + \(Self.text(of: bytes)) at \(index)")
      case .remove: lines.append("  \(place): −")
      case .move(let index): lines.append("  \(place): moved to \(index)")
      }
    }
    text = lines.joined(separator: "\n")
  }

  private static func text(of bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
}
