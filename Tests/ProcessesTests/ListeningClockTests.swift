import Machines
import Processes
import Testing

struct ListeningClockTests {
  private static func reading(_ milliseconds: Int64) -> ClockReading {
    ClockReading(monotonic: milliseconds * 1000, wall: 0)
  }

  @Test(arguments: [0, 5_000] as [Int?] + [nil])
  func `time spent waiting for messages passes`(longest: Int?) {
    var clock = ListeningClock(startedAt: Self.reading(1_000))
    let elapsed = longest.map(Int64.init) ?? 60_000
    let now = clock.read(Self.reading(1_000 + elapsed), waited: longest)
    #expect(now.monotonic == (1_000 + elapsed) * 1000)
  }

  @Test func `a long turn and a late end of a wait do not pass beyond the allowance`() {
    var clock = ListeningClock(startedAt: Self.reading(0))
    let afterTurn = clock.read(Self.reading(3_000))
    #expect(afterTurn.monotonic == ListeningClock.allowance)
    // The router itself was stopped for a minute while it wanted to wait 20 ms.
    let afterStop = clock.read(Self.reading(63_000), waited: 20)
    #expect(afterStop.monotonic == 2 * ListeningClock.allowance + 20_000)
    // Order time passed all the while (R13).
    #expect(afterStop.elapsed == 63_000_000)
    let later = clock.read(Self.reading(63_010))
    #expect(later.monotonic == afterStop.monotonic + 10_000)
  }
}
