/// Which record a replay reduces, in a page that outlives a reducer that ends the process.
package final class ReplayProgress {
  /// What is reduced.
  package enum Subject: Hashable, Sendable {
    case record(UInt64)
    /// What the record sent, or what followed from that, which the order does not have.
    case consequence(of: UInt64)

    package var sequence: UInt64 {
      switch self {
      case .record(let sequence), .consequence(let sequence): sequence
      }
    }
  }

  private let page: ProgressPage

  /// - Parameter path: the page's file; both processes name the same.
  package init(path: String) throws(SystemError) { page = try ProgressPage(path: path) }

  /// nil before the first record and after the last.
  package var subject: Subject? {
    get {
      let word = page[0]
      guard word > 0 else { return nil }
      let sequence = word / 2 - 1
      return word % 2 == 0 ? .record(sequence) : .consequence(of: sequence)
    }
    set {
      // One word, so that who reads it never sees half of it.
      page[0] =
        switch newValue {
        case .record(let sequence): (sequence + 1) * 2
        case .consequence(let sequence): (sequence + 1) * 2 + 1
        case nil: 0
        }
    }
  }
}
