import Simulation
import Testing

@Suite struct EventQueueTests {
  @Test func `events come by time, equal times in the order in which they were added`() {
    var generator = SeededGenerator(seed: 7)
    var queue = EventQueue<Int>()
    var added: [(time: Int64, event: Int)] = []
    for event in 0..<500 {
      let time = Int64.random(in: 0..<40, using: &generator)
      queue.add(event, at: time)
      added.append((time, event))
    }
    let expected = added.sorted { ($0.time, $0.event) < ($1.time, $1.event) }
    for (time, event) in expected {
      let next = queue.removeFirst()
      #expect(next?.time == time)
      #expect(next?.event == event)
    }
    #expect(queue.isEmpty)
    let none = queue.removeFirst()
    #expect(none == nil)
  }

  @Test func `an event added later may come first`() {
    var queue = EventQueue<String>()
    queue.add("late", at: 10)
    queue.add("early", at: 5)
    var order = [queue.removeFirst()?.event]
    queue.add("in between", at: 7)
    order += [queue.removeFirst()?.event, queue.removeFirst()?.event]
    #expect(order == ["early", "in between", "late"])
  }
}
