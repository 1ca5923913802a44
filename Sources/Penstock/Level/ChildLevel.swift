internal import Synchronization

/// The level of a child.
///
/// It is composed with its parent's, except where a feature comes again below itself, as a folder in a
/// folder: that level is composed when something first needs it, so the tree is as deep as the state.
package struct ChildLevel<State: JSONCodable, Action: JSONCodable & CasePathable>: Sendable {
  private enum Source: Sendable {
    case composed(Level<State, Action>)
    case repeated(RepeatedLevel<State, Action>)
  }

  private let source: Source

  init(_ compose: @escaping @Sendable () -> ComposedReducer<State, Action>) {
    source =
      Composition.isBelowItself(State.self, Action.self)
      ? .repeated(RepeatedLevel(compose))
      : .composed(Composition.compose { Level(compose()) })
  }

  var level: Level<State, Action> {
    switch source {
    case .composed(let level): level
    case .repeated(let later): later.level
    }
  }

  /// Whether the child is a feature that stands above it too.
  var isRepeated: Bool {
    if case .repeated = source { true } else { false }
  }

  /// Why it can't be a process of its own, besides what holds for its parent.
  var obstacle: String? {
    isRepeated ? "it repeats a feature above it, and those run where the first one does" : nil
  }
}

/// A level that is composed once, when it is needed.
private final class RepeatedLevel<State: JSONCodable, Action: JSONCodable & CasePathable>: Sendable
{
  private let compose: @Sendable () -> ComposedReducer<State, Action>
  private let made = Mutex<Level<State, Action>?>(nil)

  init(_ compose: @escaping @Sendable () -> ComposedReducer<State, Action>) {
    self.compose = compose
  }

  var level: Level<State, Action> {
    made.withLock { made in
      if let made { return made }
      let level = Composition.compose(anew: true) { Level(compose()) }
      made = level
      return level
    }
  }
}
