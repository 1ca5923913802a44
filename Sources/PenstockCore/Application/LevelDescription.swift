/// One level (scope) of the composed reducer, listed without running anything.
public struct LevelDescription: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case root, scope, optional, enumCase = "case", collection
  }

  /// The address; an element of a collection is `*`, so the rows of `/targets` are `/targets/rows/*`.
  public var path: Path
  public var kind: Kind
  /// Member names from the root's state; `*` for an element.
  public var statePath: [String]
  /// Whether the level has logic of its own.
  public var hasLogic: Bool
  /// Whether that logic can write to child states (R15: handed over read-only it cannot).
  public var writesChildren: Bool
  /// Case chains, from this level, of the child actions that the logic observes; nil is "all".
  public var observes: [[String]]?
  /// Why the scope can't be a process of its own; nil when it can.
  public var placementObstacle: String?
  /// Names between the case and the child's action, as `presented`, that addresses leave out.
  public var wrapping: [String]
  /// Cases that only the feature itself and its effects may send.
  public var internalCases: [String] = []
  /// Of the state's encoding, as its author counts (J-14).
  public var version = 1
  /// The encoding of the state; states of levels below are written `state`.
  public var shape = ""
  /// Cases that set a field of the state, each by a member of the field's name.
  public var bindings: [String] = []
  /// Values of other features that the logic reads (R15).
  public var reads: [SharedName] = []
  /// The level above that is of the same feature, as a folder's is of the folders in it: the levels
  /// below this one are as those below that one, which stand there once.
  public var repeats: Path?

  public init(
    path: Path, kind: Kind, statePath: [String], hasLogic: Bool, writesChildren: Bool = true,
    observes: [[String]]? = nil, placementObstacle: String? = nil, wrapping: [String] = []
  ) {
    self.path = path
    self.kind = kind
    self.statePath = statePath
    self.hasLogic = hasLogic
    self.writesChildren = writesChildren
    self.observes = observes
    self.placementObstacle = placementObstacle
    self.wrapping = wrapping
  }
}

extension LevelDescription {
  /// Why the feature at a path that has this description can't be a process of its own.
  package func obstacle(toPlacing path: Path) -> String? {
    if let placementObstacle { return placementObstacle }
    return path == self.path
      ? nil : "it is below a feature that repeats one above it, and runs where that does"
  }
}
