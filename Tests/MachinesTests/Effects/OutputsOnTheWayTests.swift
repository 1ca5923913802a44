import Machines
import PenstockCore
import Testing
import Wire

/// At a restart: what the router has of an effect already is not taken a second time.
struct OutputsOnTheWayTests {
  private func onTheWay(_ index: UInt32, isFinal: Bool) -> OutputsOnTheWay {
    var result = OutputsOnTheWay()
    result.add(.output(effect: SchedulerBench.id(1), index: index, isFinal: isFinal))
    return result
  }

  @Test func `a worker goes on after the outputs that are on their way (R14)`() {
    var bench = SchedulerBench(start: 2)
    bench.start(1, onTheWay: onTheWay(1, isFinal: false))
    bench.pass(2_000_000)
    bench.scheduler.recovered(at: bench.clock)
    bench.join(1, SchedulerBench.hello("a"))
    #expect(bench.drain() == ["assign 1 to 1 as 2.1 from 2"])
  }

  @Test func `an effect whose end is on its way is run by nobody`() {
    var bench = SchedulerBench(start: 2)
    let attempt = Attempt(start: 1, number: 1)
    bench.join(
      1,
      SchedulerBench.hello(
        "a", running: [RunningEffect(effect: SchedulerBench.id(1), attempt: attempt)]))
    bench.start(1, onTheWay: onTheWay(0, isFinal: true))
    bench.scheduler.recovered(at: bench.clock)
    bench.pass(2_000_000)
    #expect(bench.drain() == ["refuse 1 1.1 at 1"])
  }

  @Test func `a tick that is on its way does not become due a second time (R14)`() {
    var timers = TimerQueue()
    let id = EffectID(sequence: 7, path: .root, index: 0)
    timers.add(id, due: 100, interval: 50, isRepeating: true, isOut: true)
    #expect(timers.due(400).isEmpty)
    timers.tickRetired(id, now: 400)
    let next = timers.due(400)
    #expect(next.map(\.0) == [id])
    #expect(next.map(\.1) == [400])
  }
}
