import Wire

/// What links count; the sums of a process.
package struct LinkCounters: Hashable, Sendable {
  package var malformed = 0
  package var unknownVersion = 0
  package var oversize = 0
  /// Messages that had arrived before.
  package var duplicates = 0
  /// Messages sent once more.
  package var resends = 0
  /// Links that began anew because one side did not know them.
  package var resets = 0
  /// Messages that arrived before one that precedes them.
  package var outOfOrder = 0
  /// Frames of links that are gone.
  package var stale = 0
  package var framesSent = 0
  package var messagesSent = 0

  package init() {}

  /// Frames that were dropped because nobody can read them.
  package var unreadable: Int { malformed + unknownVersion + oversize }

  mutating func count(_ error: WireError) {
    switch error.code {
    case .unknownVersion: unknownVersion += 1
    case .tooLarge: oversize += 1
    default: malformed += 1
    }
  }
}
