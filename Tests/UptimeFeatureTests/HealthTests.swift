import Testing
import UptimeFeature

@Suite struct HealthTests {
  @Test(arguments: [
    (Health.suspect(failures: 0), true, Health.up(since: 9)),
    (.suspect(failures: 2), true, .up(since: 9)),
    (.up(since: 1), true, .up(since: 1)),
    (.down(since: 1, failures: 7), true, .up(since: 9)),
    (.up(since: 1), false, .suspect(failures: 1)),
    (.suspect(failures: 1), false, .suspect(failures: 2)),
    (.suspect(failures: 2), false, .down(since: 9, failures: 3)),
    (.down(since: 1, failures: 3), false, .down(since: 1, failures: 4)),
  ])
  func `three failures in a row make a target down, one success up`(
    before: Health, isUp: Bool, after: Health
  ) {
    #expect(before.after(isUp: isUp, now: 9, failuresUntilDown: 3) == after)
  }

  @Test func `with a limit of one there is no suspicion`() {
    #expect(
      Health.up(since: 1).after(isUp: false, now: 9, failuresUntilDown: 1)
        == .down(since: 9, failures: 1))
  }
}
