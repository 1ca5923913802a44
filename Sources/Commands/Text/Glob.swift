/// A pattern in which `*` stands for any characters but `/`, and `**` for any characters.
package struct Glob: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case character(Character)
    case within
    case any
  }

  private let pieces: [Piece]

  package init(_ pattern: String) {
    var pieces: [Piece] = []
    for character in pattern {
      switch (character, pieces.last) {
      case ("*", .within): pieces[pieces.count - 1] = .any
      case ("*", .any): break
      case ("*", _): pieces.append(.within)
      default: pieces.append(.character(character))
      }
    }
    self.pieces = pieces
  }

  package func matches(_ text: String) -> Bool {
    // The set of positions in the pattern that the text read so far may stand at.
    var places = closed([0])
    for character in text {
      var next: Set<Int> = []
      for place in places where place < pieces.count {
        switch pieces[place] {
        case .character(let wanted): if wanted == character { next.insert(place + 1) }
        case .within: if character != "/" { next.insert(place) }
        case .any: next.insert(place)
        }
      }
      places = closed(next)
      if places.isEmpty { return false }
    }
    return places.contains(pieces.count)
  }

  /// Adds the places that are reached by letting stars stand for nothing.
  private func closed(_ places: Set<Int>) -> Set<Int> {
    var result = places
    for place in places {
      var place = place
      while place < pieces.count, pieces[place] == .within || pieces[place] == .any {
        place += 1
        result.insert(place)
      }
    }
    return result
  }
}
