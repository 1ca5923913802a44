public import Penstock

@JSONCodable
public enum Mark {
  case x
  case o

  var other: Mark { self == .x ? .o : .x }
}

/// Nine places, row by row.
@JSONCodable
public struct Board {
  public var places: [Place] = Array(repeating: .free, count: 9)
  public var turn = Mark.x

  public init() {}

  static let lines = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
  ]

  public var winner: Mark? {
    for line in Self.lines {
      if case .taken(let mark) = places[line[0]],
        line.allSatisfy({ places[$0] == .taken(mark) })
      {
        return mark
      }
    }
    return nil
  }

  public var isOver: Bool { winner != nil || !places.contains(.free) }

  /// - Returns: whether the move was one.
  mutating func play(_ place: Int) -> Bool {
    guard !isOver, places.indices.contains(place), places[place] == .free else { return false }
    places[place] = .taken(turn)
    turn = turn.other
    return true
  }
}

@JSONCodable
public enum Place {
  case free
  case taken(Mark)
}
