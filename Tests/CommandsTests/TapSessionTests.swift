import Commands
import Machines
import PenstockCore
import Testing
import Wire

@Suite struct TapSessionTests {
  static let start: Int64 = 1_796_047_327_314_159

  static func action(
    path: String = "/targets", type: String = "add", cause: UInt64? = nil, isVoid: Bool = false
  ) -> TapRecord {
    .action(
      TapRecord.ActionTap(
        record: OrderRecord(
          sequence: 48_213, path: Path(path)!, payload: Bytes(#"{"add":{"url":"http://a"}}"#.utf8),
          now: start, seed: 1, origin: .client(session: 1, sequence: 1), correlation: 48_213),
        epoch: Epoch(start: 1, squash: 0), type: type, source: "penstock-7", cause: cause,
        patch: Patch([
          PatchOperation(
            path: ["rows", "a"], change: .insert(Bytes(#"{"url":"http://a"}"#.utf8), at: 0)),
          PatchOperation(path: ["total"], change: .set(Bytes("1".utf8))),
        ]), isVoid: isVoid, isUnmounted: false, latency: 412, diagnostics: []))
  }

  static func effect(_ state: TapRecord.EffectTap.State, message: String = "") -> TapRecord {
    .effect(
      TapRecord.EffectTap(
        effect: EffectID(sequence: 48_213, path: Path("/targets")!, index: 0), operation: "Probe",
        state: state, worker: "worker-2", attempt: Attempt(start: 1, number: 2),
        now: start + 3100, message: message))
  }

  private func session(
    _ filter: [String] = [], text: TapText? = TapText(verbosity: 0, usesColor: false),
    limit: Int? = nil
  ) throws -> TapSession {
    TapSession(filter: try TapFilter(filter), text: text, limit: limit)
  }

  private func frame(_ record: TapRecord, counter: UInt64 = 1) -> Bytes {
    record.topic + [0x0A] + record.json(counter: counter)
  }

  @Test func `an action is one line`() throws {
    var session = try session()
    #expect(
      session.receive(frame(Self.action(cause: 48_200))) == """
        14:02:07.314  48213    action   penstock-7 → /targets     add                    412µs  ⇠48200

        """)
  }

  @Test func `a path with line feeds breaks neither the frame nor the line (T-1)`() throws {
    let path = "/a\n\u{1B}[1m\n{}"
    var session = try session()
    #expect(
      session.receive(frame(Self.action(path: path))) == #"""
        14:02:07.314  48213    action   penstock-7 → /a\n\u001b[1m\n{}  add                    412µs

        """#)
    _ = session.receive(frame(Self.action(), counter: 2))
    #expect(session.summary(microseconds: 1_000_000) == "2 received · 2 shown · 0 lost · 1.0s\n")
    var lines = try TapSession(filter: TapFilter([path]), text: nil, limit: nil)
    let record = Self.action(path: path)
    #expect(
      lines.receive(frame(record)) == String(decoding: record.json(counter: 1), as: UTF8.self)
        + "\n")
  }

  @Test func `what a worker says of a failure does not steer the terminal`() throws {
    var session = try session()
    let line = session.receive(frame(Self.effect(.failed, message: "no\n\u{1B}]0;x\u{7}\u{9B}")))
    #expect(line.hasSuffix(#"attempt 2  no\n\u001b]0;x\u0007\u009b"# + "\n"), "\(line)")
  }

  @Test func `payload and changes stand below the line`() throws {
    var session = try session(text: TapText(verbosity: 2, usesColor: false))
    #expect(
      session.receive(frame(Self.action())) == """
        14:02:07.314  48213    action   penstock-7 → /targets     add                    412µs
            {"add":{"url":"http://a"}}
            Δ rows.a + {"url":"http://a"} at 0
            Δ total = 1

        """)
  }

  @Test func `a failed effect says why`() throws {
    var session = try session()
    #expect(
      session.receive(frame(Self.effect(.failed, message: "timed out"))) == """
        14:02:07.317  48213    effect   /targets → worker-2       Probe failed                  attempt 2  timed out

        """)
  }

  @Test func `a process that ended says how`() throws {
    var session = try session()
    let record = TapRecord.process(
      name: "penstock-7", role: .client, processID: 7, state: "left", now: Self.start)
    let line = session.receive(frame(record))
    #expect(line.contains("process  penstock-7") && line.contains("left"), "\(line)")
  }

  @Test func `color is never the only mark`() throws {
    var plain = try session()
    var colored = try session(text: TapText(verbosity: 0, usesColor: true))
    let line = plain.receive(frame(Self.effect(.failed)))
    #expect(
      colored.receive(frame(Self.effect(.failed)))
        == "\u{1B}[31m" + line.dropLast() + "\u{1B}[0m\n")
  }

  @Test func `JSON lines are the records as they came`() throws {
    var session = try session(text: nil)
    let record = Self.action()
    #expect(
      session.receive(frame(record)) == String(decoding: record.json(counter: 1), as: UTF8.self)
        + "\n")
  }

  @Test func `a hole in the counters is a row and stands in the summary (T-3)`() throws {
    var session = try session()
    _ = session.receive(frame(Self.action(), counter: 10))
    _ = session.receive(frame(Self.effect(.started), counter: 3))
    let text = session.receive(frame(Self.action(), counter: 48))
    #expect(
      text.split(separator: "\n").first.map(String.init)
        == #"14:02:07.314           GAP      tap                       37 lost                       action records 11–47 are missing: this tap was too slow"#
    )
    #expect(
      session.summary(microseconds: 20_300_000)
        == "3 received · 3 shown · 37 lost · 20.3s\n")
  }

  @Test func `a hole is a record of its own among JSON lines`() throws {
    var session = try session(["!/**"], text: nil)
    _ = session.receive(frame(Self.action(), counter: 1))
    #expect(
      session.receive(frame(Self.action(), counter: 3))
        == #"{"v":1,"k":"gap","t":"2026-11-30T14:02:07.314159Z","kind":"action","from":2,"to":2,"lost":1}"#
        + "\n")
  }

  @Test func `counters of a restarted router are no hole`() throws {
    var session = try session()
    _ = session.receive(frame(Self.action(), counter: 10))
    let text = session.receive(frame(Self.action(), counter: 1))
    #expect(!text.contains("GAP"))
  }

  @Test func `it is complete after as many matches as asked for`() throws {
    var session = try session(["add"], limit: 1)
    #expect(session.receive(frame(Self.action(type: "remove"))) == "")
    #expect(!session.isComplete && !session.isSuccess)
    #expect(session.receive(frame(Self.action(), counter: 2)) != "")
    #expect(session.isComplete && session.isSuccess)
    #expect(session.receive(frame(Self.action(), counter: 3)) == "")
  }

  @Test(arguments: [
    ([], true, true), (["/targets"], true, true), (["/tar*"], true, true), (["/"], true, true),
    (["/alerts"], false, false), (["/targets/rows"], false, false), (["action"], true, false),
    (["!action"], false, true), (["add"], true, false), (["a*", "Pro*"], true, true),
    (["effect", "add"], false, false), (["!/targets"], false, false), (["!Probe"], true, false),
    (["/targets", "!add"], false, true),
  ])
  func `filters of one sort are alternatives, sorts must all match`(
    words: [String], isAction: Bool, isEffect: Bool
  ) throws {
    let filter = try TapFilter(words)
    #expect(filter.matches(try JSONValue(Self.action().json(counter: 1))) == isAction)
    #expect(filter.matches(try JSONValue(Self.effect(.done).json(counter: 1))) == isEffect)
  }

  @Test func `a path's filter matches what is below it, not its namesakes`() throws {
    let filter = try TapFilter(["/targets"])
    let below = Self.action(path: "/targets/rows/a")
    let beside = Self.action(path: "/targetsAll")
    #expect(filter.matches(try JSONValue(below.json(counter: 1))))
    #expect(!filter.matches(try JSONValue(beside.json(counter: 1))))
  }

  @Test func `only wanted kinds are subscribed to`() throws {
    #expect(try TapFilter(["effect"]).kinds == [.effect, .gap])
    #expect(try TapFilter(["!effect"]).kinds == [.action, .process, .gap])
  }

  @Test(arguments: [("lat>5", "PS-F02"), ("!", "PS-F01"), ("kind==effect", "PS-F02")])
  func `a filter in another language is refused`(word: String, code: String) {
    #expect(refusal(of: word)?.code == code)
  }

  private func refusal(of word: String) -> CommandFailure? {
    do throws(CommandFailure) {
      _ = try TapFilter([word])
      return nil
    } catch {
      return error
    }
  }
}
