import Machines
import PenstockCore
import Testing
import Wire

@Suite struct EffectSchedulerTests {
  private let first = Attempt(start: 1, number: 1)
  private let second = Attempt(start: 1, number: 2)

  @Test("Operations go to the least loaded worker with a free slot, oldest first (W-5)")
  func slots() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a", slots: 2))
    bench.join(2, SchedulerBench.hello("b"))
    for number in 1...5 as ClosedRange<UInt64> { bench.start(number) }
    #expect(
      bench.drain() == ["assign 1 to 1 as 1.1", "assign 2 to 2 as 1.1", "assign 3 to 1 as 1.1"])
    bench.output(1, 3, first)
    #expect(bench.drain() == ["output 3#0 final", "assign 4 to 1 as 1.1"])
    #expect(bench.scheduler.snapshot().workers.map(\.running) == [2, 1])
  }

  @Test("An operation that no worker serves holds up no other")
  func operations() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a", slots: 9, operations: ["op"]))
    bench.start(1, operation: "other")
    bench.start(2) { $0.queue = "slow" }
    bench.start(3)
    #expect(bench.drain() == ["assign 3 to 1 as 1.1"])
    #expect(bench.scheduler.snapshot().unserved == ["op", "other"])
    bench.join(2, SchedulerBench.hello("b", slots: 9, queues: ["default", "slow"]))
    #expect(Set(bench.drain()) == ["assign 1 to 2 as 1.1", "assign 2 to 2 as 1.1"])
  }

  @Test("A lost worker's operations are started again elsewhere, before what waits")
  func workerLost() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1)
    bench.start(2)
    bench.output(1, 1, first, isFinal: false)
    _ = bench.drain()
    bench.scheduler.workerLost(PeerID(1), at: bench.clock)
    bench.join(2, SchedulerBench.hello("b"))
    #expect(bench.drain() == ["assign 1 to 2 as 1.2 from 1"])
    bench.output(2, 1, first, index: 1)
    #expect(bench.drain() == ["refuse 1 1.1 at 2"])
    bench.output(2, 1, second, index: 1)
    #expect(bench.drain() == ["output 1#1 final", "assign 2 to 2 as 1.1"])
  }

  @Test("An effect that loses ten workers fails (W-6)")
  func manyLosses() {
    var bench = SchedulerBench()
    bench.start(1)
    for peer in 1...10 as ClosedRange<UInt32> {
      bench.join(peer, SchedulerBench.hello("w"))
      bench.scheduler.workerLost(PeerID(peer), at: bench.clock)
    }
    #expect(
      bench.drain().last
        == "failed 1 worker-lost: 10 workers were lost while they ran the operation")
  }

  @Test("An output goes into the order once, and is confirmed again when it is durable (W-1, W-2)")
  func duplicates() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1)
    bench.output(1, 1, first, isFinal: false)
    bench.output(1, 1, first, isFinal: false)
    #expect(bench.drain() == ["assign 1 to 1 as 1.1", "output 1#0"])
    bench.scheduler.accepted(SchedulerBench.id(1), index: 0, at: bench.clock)
    bench.output(1, 1, first, isFinal: false)
    #expect(bench.drain() == ["accept 1#0 at 1", "accept 1#0 at 1"])
  }

  @Test("Retries wait twice as long each time, and the last failure is the effect's (W-6)")
  func retries() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1) {
      $0.maximumAttempts = 4
      $0.initialBackoff = 100
      $0.maximumBackoff = 300
    }
    let failure = EffectResult.failed(code: "x", message: "no", isRetryable: true)
    for (number, pause) in [(1, 100), (2, 200), (3, 300)] as [(UInt32, Int64)] {
      #expect(bench.drain().contains("assign 1 to 1 as 1.\(number)"))
      bench.end(1, 1, Attempt(start: 1, number: number), failure)
      #expect(bench.scheduler.nextDeadline == bench.clock.monotonic + pause)
      bench.pass(pause - 1)
      #expect(!bench.drain().contains { $0.hasPrefix("assign") })
      bench.pass(1)
    }
    _ = bench.drain()
    bench.end(1, 1, Attempt(start: 1, number: 4), failure)
    #expect(bench.drain() == ["failed 1 x: no"])
    bench.scheduler.accepted(SchedulerBench.id(1), index: 0, at: bench.clock)
    bench.scheduler.cancel(SchedulerBench.id(1), at: bench.clock)
    #expect(bench.drain() == ["accept 1#0 at 1"])
    #expect(bench.scheduler.snapshot().effects.isEmpty)
  }

  @Test("What can't be retried fails at once")
  func notRetryable() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1) { $0.maximumAttempts = 4 }
    bench.end(1, 1, first, .failed(code: "x", message: "no", isRetryable: false))
    #expect(bench.drain() == ["assign 1 to 1 as 1.1", "failed 1 x: no"])
  }

  @Test func `an operation that cancels itself is over, and nothing comes of it (W-10)`() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1) { $0.maximumAttempts = 4 }
    bench.end(1, 1, first, .cancelled)
    #expect(bench.drain() == ["assign 1 to 1 as 1.1", "finished 1"])
    bench.scheduler.accepted(SchedulerBench.id(1), index: .max, at: bench.clock)
    bench.scheduler.cancel(SchedulerBench.id(1), at: bench.clock)
    #expect(bench.scheduler.snapshot().effects.isEmpty)
  }

  @Test("An attempt that exceeds its time is cancelled and counts as failed (W-6)")
  func timeout() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1) { $0.timeout = 2_000_000 }
    #expect(bench.scheduler.nextDeadline == bench.clock.monotonic + 2_000_000)
    _ = bench.drain()
    bench.pass(1_999_999)
    #expect(bench.drain().isEmpty)
    bench.pass(1)
    #expect(bench.drain() == ["cancel 1 at 1", "failed 1 timeout: not done after 2 s"])
  }

  @Test("Heartbeats keep an attempt alive, and the last cursor goes to the next one")
  func heartbeats() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1) {
      $0.heartbeatTimeout = 1_000
      $0.maximumAttempts = 2
      $0.initialBackoff = 0
    }
    for _ in 0..<5 {
      bench.pass(900)
      bench.say(
        1, .heartbeat(effect: SchedulerBench.id(1), attempt: first, cursor: [7]))
    }
    #expect(bench.drain() == ["assign 1 to 1 as 1.1"])
    bench.pass(1_000)
    bench.pass(0)
    let outputs = bench.scheduler.drainOutputs()
    guard case .send(_, .assign(let assignment))? = outputs.last else {
      Issue.record("\(outputs)")
      return
    }
    #expect(assignment.cursor == [7] && assignment.attempt == second)
  }

  @Test("Cancelling reaches what waits, what runs, and what waits for its next attempt")
  func cancel() {
    var bench = SchedulerBench()
    bench.start(1)
    bench.scheduler.cancel(SchedulerBench.id(1), at: bench.clock)
    bench.join(1, SchedulerBench.hello("a"))
    #expect(bench.drain().isEmpty)
    bench.start(2)
    bench.start(3)
    bench.scheduler.cancel(SchedulerBench.id(2), at: bench.clock)
    #expect(
      bench.drain() == ["assign 2 to 1 as 1.1", "cancel 2 at 1", "assign 3 to 1 as 1.1"])
    bench.output(1, 2, first)
    #expect(bench.drain() == ["refuse 2 1.1 at 1"])
  }

  @Test("A draining worker gets nothing new, and what it hands back goes first elsewhere (W-8)")
  func draining() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1)
    bench.start(2)
    bench.say(1, .draining)
    _ = bench.drain()
    bench.end(1, 1, first, .handedBack)
    #expect(bench.drain() == ["accept 1#0 at 1"])
    #expect(bench.scheduler.snapshot().workers.map(\.state) == ["draining"])
    bench.join(2, SchedulerBench.hello("b"))
    #expect(bench.drain() == ["assign 1 to 2 as 1.2"])
  }

  @Test(
    "After a restart, what a worker still runs goes on there, the rest starts after a second (R6, W-7)"
  )
  func recovery() {
    var bench = SchedulerBench(start: 2)
    let running = RunningEffect(effect: SchedulerBench.id(1), attempt: second)
    let gone = RunningEffect(effect: SchedulerBench.id(9), attempt: first)
    bench.join(1, SchedulerBench.hello("a", slots: 4, running: [running, gone]))
    bench.start(1, nextIndex: 1)
    bench.start(2)
    bench.scheduler.recovered(at: bench.clock)
    #expect(bench.drain().isEmpty)
    bench.output(1, 1, second, index: 0, isFinal: false)
    bench.output(1, 1, second, index: 1, isFinal: true)
    #expect(bench.drain() == ["accept 1#0 at 1", "output 1#1 final"])
    bench.pass(999_999)
    #expect(bench.drain().isEmpty)
    bench.pass(1)
    #expect(bench.drain() == ["refuse 9 1.1 at 1", "assign 2 to 1 as 2.1"])
  }

  @Test("A restart without a living effect waits for no worker (R6, W-7)")
  func nothingLives() {
    var bench = SchedulerBench(start: 2)
    bench.scheduler.recovered(at: bench.clock)
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1)
    #expect(bench.drain() == ["assign 1 to 1 as 2.1"])
  }

  @Test("A worker whose link broke goes on with what nobody else began")
  func adoption() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a", slots: 2))
    bench.start(1)
    _ = bench.drain()
    bench.scheduler.workerLost(PeerID(1), at: bench.clock)
    let running = RunningEffect(effect: SchedulerBench.id(1), attempt: first)
    bench.join(2, SchedulerBench.hello("a", slots: 2, running: [running]))
    #expect(bench.drain().isEmpty)
    bench.output(2, 1, first)
    #expect(bench.drain() == ["output 1#0 final"])
  }

  @Test("An attempt that goes on after a broken link counts once, lost ones not at all (W-6)")
  func adoptedTries() {
    var bench = SchedulerBench()
    let failure = EffectResult.failed(code: "x", message: "no", isRetryable: true)
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1) { $0.maximumAttempts = 2 }
    bench.scheduler.workerLost(PeerID(1), at: bench.clock)
    bench.join(2, SchedulerBench.hello("b"))
    bench.scheduler.workerLost(PeerID(2), at: bench.clock)
    let running = RunningEffect(effect: SchedulerBench.id(1), attempt: second)
    bench.join(3, SchedulerBench.hello("b", running: [running]))
    _ = bench.drain()
    bench.end(3, 1, second, failure)
    bench.pass(60_000_000)
    #expect(bench.drain() == ["accept 1#0 at 3", "assign 1 to 3 as 1.3"])
    bench.end(3, 1, Attempt(start: 1, number: 3), failure)
    #expect(bench.drain() == ["failed 1 x: no"])
  }

  @Test("An attempt that ended is not taken up again, whatever its worker says later (W-6)")
  func endedAttemptReturns() {
    var bench = SchedulerBench()
    bench.join(1, SchedulerBench.hello("a"))
    bench.start(1) { $0.maximumAttempts = 2 }
    bench.end(1, 1, first, .failed(code: "x", message: "no", isRetryable: true))
    bench.scheduler.workerLost(PeerID(1), at: bench.clock)
    bench.pass(60_000_000)
    _ = bench.drain()
    let running = RunningEffect(effect: SchedulerBench.id(1), attempt: first)
    bench.join(2, SchedulerBench.hello("a", running: [running]))
    #expect(bench.drain() == ["refuse 1 1.1 at 2", "assign 1 to 2 as 1.2"])
  }

  @Test("An attempt that leaves out outputs which the journal lost is begun again (W-4)")
  func lostOutputs() {
    var bench = SchedulerBench(start: 2)
    let running = RunningEffect(effect: SchedulerBench.id(1), attempt: second)
    bench.join(1, SchedulerBench.hello("a", running: [running]))
    bench.start(1, nextIndex: 1)
    bench.scheduler.recovered(at: bench.clock)
    bench.pass(1_000_000)
    bench.output(1, 1, second, index: 2)
    #expect(bench.drain() == ["refuse 1 1.2 at 1", "assign 1 to 1 as 2.1 from 1"])
  }

  @Test("Notes for the tap are made only while somebody listens")
  func tap() {
    var bench = SchedulerBench()
    bench.start(1)
    #expect(bench.drain().isEmpty)
    bench.scheduler.isTapped = true
    bench.join(1, SchedulerBench.hello("a"))
    bench.output(1, 1, first)
    #expect(
      bench.drain() == [
        "assign 1 to 1 as 1.1", "tap 1 started", "output 1#0 final", "tap 1 done",
      ])
  }
}
