/// How much of the order a journal keeps: what exceeds any of the limits is forgotten, in whole
/// checkpoints, and never what a start needs.
package struct Retention: Hashable, Sendable {
  /// Microseconds of order time.
  package var age: Int64?
  package var bytes: Int64?
  /// Records before the newest one.
  package var records: UInt64?

  package init(age: Int64? = nil, bytes: Int64? = nil, records: UInt64? = nil) {
    self.age = age
    self.bytes = bytes
    self.records = records
  }

  package static let everything = Retention()
  /// A week, and at most 8 GB.
  package static let standard = Retention(age: 7 * 86_400_000_000, bytes: 8_000_000_000)
  package static let standardText = "7d,8GB"

  private static let ages: [String: Int64] = [
    "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000,
  ]
  private static let sizes: [String: Int64] = [
    "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
  ]

  /// Reads limits with commas between them: `7d` (s, m, h, d), `8GB` (kB, MB, GB, TB), a bare number
  /// of records; or `all`.
  package init?(text: String) {
    self.init()
    if text == "all" { return }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let digits = part.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int64(digits) else { return nil }
      let unit = String(part.dropFirst(digits.count))
      if unit.isEmpty {
        records = UInt64(number)
      } else if let factor = Self.ages[unit] {
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        age = product
      } else if let factor = Self.sizes[unit] {
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        bytes = product
      } else {
        return nil
      }
    }
  }

  /// How the journal stands, and what it would lose with all that a checkpoint makes unnecessary.
  package struct Candidate: Hashable, Sendable {
    /// Order time of the newest entry, and of the newest one that would be forgotten.
    package var now: Int64
    package var newestLost: Int64
    package var lastRecord: UInt64
    /// What the checkpoint covers.
    package var covered: UInt64
    /// Bytes in use.
    package var bytes: Int64

    package init(
      now: Int64, newestLost: Int64, lastRecord: UInt64, covered: UInt64, bytes: Int64
    ) {
      self.now = now
      self.newestLost = newestLost
      self.lastRecord = lastRecord
      self.covered = covered
      self.bytes = bytes
    }
  }

  package func forgets(_ candidate: Candidate) -> Bool {
    if let age, candidate.newestLost < candidate.now - age { return true }
    if let bytes, candidate.bytes > bytes { return true }
    if let records, candidate.lastRecord >= candidate.covered,
      candidate.lastRecord - candidate.covered >= records
    {
      return true
    }
    return false
  }
}
