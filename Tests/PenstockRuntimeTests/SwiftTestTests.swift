import CounterFeature
import Foundation
import Penstock
import PenstockCore
import PenstockRuntime
import Testing
import UptimeFeature

/// Orders become the source of tests, which stand beside this file and are compiled and run with it.
@Suite struct SwiftTestTests {
  @Test func `a session of the counter is the test that stands here`() throws {
    var session = Session(CounterApp())
    session.client("/left", #""increment""#)
    let twice = session.client("/left", #""incrementTwice""#)
    // A client was numbered before what the action before it sent.
    session.client("/right", #""decrement""#)
    session.record("/left", #""increment""#, .send(cause: twice, index: 0))
    let left = session.client("/left", #""askFact""#)
    session.output("/left", #"{"fact":{"success":"3 is \"odd\""}}"#, of: left)
    let right = session.client("/right", #""askFact""#)
    session.client("/left", #""decrement""#)
    session.output(
      "/right", #"{"fact":{"failure":{"code":"offline","message":"no line"}}}"#, of: right)
    session.client("/right", #""askFact""#)
    session.client("/right", #""cancelFact""#)
    session.client("/", #""resetAll""#)
    session.client("/left", #""askFact""#)
    try expect(session, isFile: "RecordedCounter.swift")
  }

  @Test func `timers, collections and what is decoded`() throws {
    var session = Session(UptimeApp())
    session.client("/settings", #"{"setInterval":1000}"#)
    let add = session.client("/targets", #"{"add":{"url":"http://a","name":"a"}}"#)
    let start = session.record("/targets/rows/a", #""start""#, .send(cause: add, index: 0))
    session.record(
      "/targets", #"{"report":{"id":"a","from":null,"to":"suspect","reason":"added"}}"#,
      .send(cause: add, index: 1))
    let probe = session.record("/targets/rows/a", #""probe""#, .send(cause: start, index: 0))
    let path = Path("/targets/rows/a")!
    session.record(
      "/targets/rows/a", #""probe""#,
      .timer(
        effect: EffectID(sequence: start, path: path, index: 0), due: session.now + 1_000_000))
    session.record(
      "/targets/rows/a", #"{"probed":{"success":{"isUp":true,"latency":7,"reason":""}}}"#,
      .output(effect: EffectID(sequence: probe, path: path, index: 0), index: 0, isFinal: true))
    try expect(session, isFile: "RecordedUptime.swift")
  }

  @Test func `a stretch begins with the state that was`() throws {
    var session = Session(CounterApp())
    session.client("/left", #""increment""#)
    let ask = session.client("/left", #""askFact""#)
    session.output("/left", #"{"fact":{"success":"1 is odd"}}"#, of: ask)
    session.client("/left", #""increment""#)
    try expect(session, isFile: "RecordedStretch.swift", from: 3)
  }

  @Test func `a test ends before a send that was set aside: a test store would reduce it`() throws {
    var session = Session(CounterApp())
    session.client("/left", #""decrement""#)
    let twice = session.client("/left", #""incrementTwice""#)
    session.record("/left", #""increment""#, .send(cause: twice, index: 0), .poison)
    session.client("/right", #""decrement""#)
    try expect(session, isFile: "RecordedPoison.swift")
    // It is known of one that stands beyond the stretch too.
    let stretch = try SwiftTest.source(
      of: Application(session.app), session.order, through: twice)
    #expect(stretch.contains("Record 3, which waits to be received, was set aside: poison."))
  }

  @Test func `of a send that was set aside and came again only the last counts`() throws {
    var session = Session(CounterApp())
    let twice = session.client("/left", #""incrementTwice""#)
    session.record("/left", #""increment""#, .send(cause: twice, index: 0), .unavailable)
    session.record("/left", #""increment""#, .send(cause: twice, index: 0))
    let source = try SwiftTest.source(of: Application(session.app), session.order)
    #expect(source.contains("await store.receive(.left(.increment)) { $0.left.count = 2 }"))
    #expect(!source.contains("exhaustivity"), "\(source)")
  }

  @Test func `a test ends before a tick that was set aside, unless it came again`() throws {
    for (mark, ends) in [(VoidReason.poison, true), (.unavailable, false)] {
      var session = Session(UptimeApp())
      session.client("/settings", #"{"setInterval":1000}"#)
      let add = session.client("/targets", #"{"add":{"url":"http://a","name":"a"}}"#)
      let start = session.record("/targets/rows/a", #""start""#, .send(cause: add, index: 0))
      session.record(
        "/targets", #"{"report":{"id":"a","from":null,"to":"suspect","reason":"added"}}"#,
        .send(cause: add, index: 1))
      session.record("/targets/rows/a", #""probe""#, .send(cause: start, index: 0))
      let timer = EffectID(sequence: start, path: Path("/targets/rows/a")!, index: 0)
      session.record(
        "/targets/rows/a", #""probe""#,
        .timer(effect: timer, due: session.now + 1_000_000), mark)
      let source = try SwiftTest.source(of: Application(session.app), session.order)
      #expect(source.contains("// Record 6 was set aside: \(mark.word)."), "\(source)")
      #expect(source.contains("store.exhaustivity = .off") == ends, "\(source)")
    }
  }

  private func expect<App: PenstockApp>(
    _ session: Session<App>, isFile name: String, from first: UInt64 = 1
  ) throws {
    let source = try SwiftTest.source(
      of: Application(session.app), session.order, from: first)
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent(name)
    #expect(try String(contentsOf: file, encoding: .utf8) == source, "\(source)")
  }
}

/// An order as a router would write it.
private struct Session<App: PenstockApp> {
  let app: App
  let now: Int64 = 1_700_000_000_000_000
  private(set) var order: [OrderRecord]

  init(_ app: App) {
    self.app = app
    let inputs = TransitionInputs(now: now, seed: 0, isQuiet: true)
    let state = JSONWriter.bytes(of: inputs.run { app.initialState })
    order = [
      OrderRecord(
        sequence: 0, path: .root, payload: state, now: now, seed: 0, origin: .initial,
        correlation: 0)
    ]
  }

  @discardableResult
  mutating func client(_ path: String, _ payload: String) -> UInt64 {
    record(path, payload, .client(session: 1, sequence: UInt64(order.count)))
  }

  mutating func output(_ path: String, _ payload: String, of sequence: UInt64) {
    let effect = EffectID(sequence: sequence, path: Path(path)!, index: 0)
    record(path, payload, .output(effect: effect, index: 0, isFinal: true))
  }

  @discardableResult
  mutating func record(
    _ path: String, _ payload: String, _ origin: Origin, _ mark: VoidReason? = nil
  ) -> UInt64 {
    let sequence = UInt64(order.count)
    var record = OrderRecord(
      sequence: sequence, path: Path(path)!, payload: Bytes(payload.utf8), now: now,
      seed: sequence, origin: origin, correlation: 1)
    record.mark = mark
    order.append(record)
    return sequence
  }
}
