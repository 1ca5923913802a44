import Machines
import PenstockCore
import Simulation
import Testing
import WireTestSupport

@Suite struct TimerQueueTests {
  private let id = SchedulerBench.id(1)

  @Test("A timer fires once, and never early")
  func once() {
    var timers = TimerQueue()
    timers.add(id, due: 100, interval: 100, isRepeating: false)
    #expect(timers.nextDue == 100)
    #expect(timers.due(99).isEmpty)
    #expect(timers.due(100).map(\.1) == [100])
    #expect(timers.due(1_000).isEmpty)
    timers.tickRetired(id, now: 1_000)
    #expect(timers.nextDue == nil && timers.count == 0)
  }

  @Test("One tick is unretired at a time; missed ones become one, and the phase is kept (R14)")
  func repeating() {
    var timers = TimerQueue()
    timers.add(id, due: 100, interval: 100, isRepeating: true)
    #expect(timers.due(130).map(\.1) == [100])
    #expect(timers.due(550).isEmpty)
    timers.tickRetired(id, now: 560)
    #expect(timers.due(560).map(\.1) == [500])
    timers.tickRetired(id, now: 570)
    #expect(timers.nextDue == 600)
    #expect(timers.due(599).isEmpty)
  }

  @Test("A cancelled timer does not fire")
  func cancel() {
    var timers = TimerQueue()
    timers.add(id, due: 100, interval: 100, isRepeating: true)
    timers.cancel(id)
    #expect(timers.due(1_000).isEmpty)
  }

  @Test("Timers fire in order of their times, equal ones in order of their effects")
  func order() {
    var timers = TimerQueue()
    var random = SeededGenerator(seed: 1)
    for sequence in 0..<500 as Range<UInt64> {
      timers.add(
        SchedulerBench.id(sequence), due: Int64(random.below(50)), interval: 1,
        isRepeating: false)
    }
    let fired = timers.due(100).map { ($0.1, $0.0.sequence) }
    #expect(fired.count == 500)
    #expect(zip(fired, fired.dropFirst()).allSatisfy { $0 < $1 })
  }
}
