/// How many characters must be inserted, removed, replaced or swapped with their neighbour.
package enum EditDistance {
  package static func between(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var before: [Int] = []
    var last = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (character == other ? 0 : 1))
        if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      before = last
      last = current
    }
    return last[right.count]
  }

  /// The candidate nearest to a mistyped word, if it is within two changes and not all of the word.
  package static func nearest(to word: String, in candidates: [String]) -> String? {
    candidates
      .map { (candidate: $0, distance: between(word, $0)) }
      .filter { $0.distance <= 2 && $0.distance < word.drop { $0 == "-" }.count }
      .min { $0.distance < $1.distance }?
      .candidate
  }
}
