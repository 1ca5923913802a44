import Machines
import Testing

@Suite struct RetentionLimitTests {
  @Test(arguments: [
    ("7d", Retention(age: 604_800_000_000)), ("90s", Retention(age: 90_000_000)),
    ("8GB", Retention(bytes: 8_000_000_000)), ("500kB", Retention(bytes: 500_000)),
    ("1000", Retention(records: 1_000)), ("all", Retention.everything),
    ("7d,8GB", Retention.standard),
    ("1h,5MB,9", Retention(age: 3_600_000_000, bytes: 5_000_000, records: 9)),
    ("0", Retention(records: 0)),
  ])
  func `limits are read`(text: String, expected: Retention) {
    #expect(Retention(text: text) == expected)
  }

  @Test(arguments: [
    "", "7", "x", "7w", "-1d", "1.5d", "7d,", "all,7d", "99999999999999999999d", "9999999999d",
    "٣d",
  ])
  func `what is no limit is refused`(text: String) {
    #expect((Retention(text: text) == nil) == (text != "7"))
  }

  @Test func `the default's text is the default`() {
    #expect(Retention(text: Retention.standardText) == .standard)
  }

  @Test func `what exceeds one limit is forgotten, what exceeds none is kept`() {
    var candidate = Retention.Candidate(
      now: 1_000, newestLost: 500, lastRecord: 90, covered: 40, bytes: 700)
    let limits = Retention(age: 500, bytes: 700, records: 51)
    #expect(!limits.forgets(candidate))
    candidate.newestLost = 499
    #expect(limits.forgets(candidate))
    candidate.newestLost = 500
    candidate.bytes = 701
    #expect(limits.forgets(candidate))
    candidate.bytes = 700
    candidate.covered = 39
    #expect(limits.forgets(candidate))
    #expect(!Retention.everything.forgets(candidate))
  }
}
