extension Reducer {
  /// Logs each action that the feature's own logic gets, and what that changed, field by field.
  ///
  /// It writes where `@Dependency(.logger)` does, and like that it is silent while a run is
  /// speculative or a replay.
  public func _printChanges() -> ComposedReducer<State, Action> {
    composed.wrapping { state, action, run in
      let before = state
      let effect = run(&state, action)
      ReducerLogger()(ChangeText.text(of: action, from: before, to: state))
      return effect
    }
  }
}

/// An action and the changes that it made, as a person reads them.
package enum ChangeText {
  package static func text<State: JSONCodable>(
    of action: some JSONCodable, from old: State, to new: State
  ) -> String {
    var lines = ["received \(string( JSONWriter.bytes(of: action)))"]
    let patch = State.patch(from: old, to: new)
    if patch.isEmpty { lines.append("  (no change)") }
    for operation in patch.operations {
      let place = operation.path.isEmpty ? "state" : operation.path.joined(separator: ".")
      switch operation.change {
      case .set(let bytes): lines.append("  \(place): \(string( bytes))")
      case .insert(let bytes, let index):
        lines.append("  \(place): + \(string( bytes)) at \(index)")
      case .remove: lines.append("  \(place): −")
      case .move(let index): lines.append("  \(place): moved to \(index)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
}
