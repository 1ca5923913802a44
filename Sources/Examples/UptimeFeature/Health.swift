public import Penstock

/// What is known of a target. A state's case carries only what is valid in it.
@JSONCodable
public enum Health {
  /// Answers as expected.
  case up(since: Int64)
  /// Not known yet, or failed less often in a row than makes it down.
  case suspect(failures: Int)
  case down(since: Int64, failures: Int)

  /// The word that totals and incidents use.
  public var status: Status {
    switch self {
    case .up: .up
    case .suspect: .suspect
    case .down: .down
    }
  }

  /// The state after one more probe; `now` is in microseconds.
  public func after(isUp: Bool, now: Int64, failuresUntilDown limit: Int) -> Health {
    if isUp {
      if case .up = self { return self }
      return .up(since: now)
    }
    switch self {
    case .up: return limit <= 1 ? .down(since: now, failures: 1) : .suspect(failures: 1)
    case .suspect(let failures):
      return failures + 1 >= limit
        ? .down(since: now, failures: failures + 1) : .suspect(failures: failures + 1)
    case .down(let since, let failures): return .down(since: since, failures: failures + 1)
    }
  }
}

@JSONCodable
public enum Status: Hashable {
  case up
  case suspect
  case down
}
