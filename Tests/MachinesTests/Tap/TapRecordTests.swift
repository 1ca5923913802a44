import Machines
import PenstockCore
import Testing
import Wire

@Suite struct TapRecordTests {
  static let start: Int64 = 1_795_960_927_314_159

  static func action(
    payload: String = #"{"add":{"url":"http://a"}}"#,
    origin: Origin = .client(session: 7, sequence: 1),
    cause: UInt64? = nil, patch: Patch? = nil, isVoid: Bool = false, mark: VoidReason? = nil
  ) -> TapRecord {
    .action(
      TapRecord.ActionTap(
        record: OrderRecord(
          sequence: 48_213, path: Path("/targets")!, payload: Bytes(payload.utf8), now: start,
          seed: 9,
          origin: origin, correlation: 48_213, mark: mark),
        epoch: Epoch(start: 4, squash: 1), type: "add", source: "penstock-1", cause: cause,
        patch: patch, isVoid: isVoid, isUnmounted: false, latency: 412, diagnostics: []))
  }

  @Test func `an action is one line with the listed members`() {
    let text = String(decoding: Self.action().json(counter: 17), as: UTF8.self)
    #expect(
      text == #"{"v":1,"k":"action","n":17,"t":"2026-11-29T14:02:07.314159Z","seq":48213,"#
        + #""epoch":[4,1],"path":"/targets","type":"add","source":"penstock-1","origin":"client","#
        + #""cause":null,"effect":null,"corr":48213,"from":"client 7 1","#
        + #""seed":9,"lat":412,"flag":null,"bytes":26,"#
        + #""payload":{"add":{"url":"http://a"}}}"#)
  }

  @Test func `line breaks of a payload do not break the line (T-1)`() {
    let bytes = Self.action(payload: "{\n\"add\":1}").json(counter: 1)
    #expect(!bytes.contains(0x0A))
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""payload":{ "add":1}"#))
  }

  @Test func `a payload that is no JSON stands there as a string`() {
    let text = String(decoding: Self.action(payload: "{oops\n").json(counter: 1), as: UTF8.self)
    #expect(text.hasSuffix(#""bytes":6,"raw":"{oops\n"}"#))
  }

  @Test func `a large payload is left out and said to be`() {
    let payload = "\"" + String(repeating: "x", count: TapPublisher.maximumPayload) + "\""
    let text = String(decoding: Self.action(payload: payload).json(counter: 1), as: UTF8.self)
    #expect(text.hasSuffix(#""bytes":65538,"trunc":true}"#))
  }

  @Test func `an output names its effect, its cause and why it was void`() {
    let effect = EffectID(sequence: 12, path: Path("/targets")!, index: 2)
    let text = String(
      decoding: Self.action(
        origin: .output(effect: effect, index: 0, isFinal: true), cause: 12, isVoid: true
      ).json(counter: 1), as: UTF8.self)
    #expect(text.contains(#""origin":"output","cause":12,"effect":"12/targets#2""#))
    #expect(text.contains(#""flag":"stale""#))
  }

  @Test func `a mark is the flag`() {
    let text = String(
      decoding: Self.action(isVoid: true, mark: .poison).json(counter: 1), as: UTF8.self)
    #expect(text.contains(#""flag":"poison""#))
  }

  @Test func `changes are listed with their operation`() {
    let patch = Patch([
      PatchOperation(path: ["rows", "a"], change: .insert([0x31], at: 0)),
      PatchOperation(path: ["rows", "b"], change: .remove),
      PatchOperation(path: ["rows", "c"], change: .move(to: 2)),
      PatchOperation(path: [], change: .set([0x7B, 0x7D])),
    ])
    #expect(
      String(decoding: patch.json, as: UTF8.self)
        == #"[{"op":"insert","path":["rows","a"],"value":1,"at":0},"#
        + #"{"op":"remove","path":["rows","b"]},{"op":"move","path":["rows","c"],"at":2},"#
        + #"{"op":"set","path":[],"value":{}}]"#)
  }

  @Test func `an effect's record says who runs it and why it failed`() {
    let record = TapRecord.effect(
      TapRecord.EffectTap(
        effect: EffectID(sequence: 3, path: .root, index: 0), operation: "Probe", state: .failed,
        worker: "worker-2", attempt: Attempt(start: 1, number: 2), now: Self.start,
        message: "timed out"))
    #expect(
      String(decoding: record.json(counter: 2), as: UTF8.self)
        == #"{"v":1,"k":"effect","n":2,"t":"2026-11-29T14:02:07.314159Z","id":"3/#0","seq":3,"#
        + #""path":"/","operation":"Probe","state":"failed","worker":"worker-2","attempt":2,"#
        + #""message":"timed out"}"#)
  }

  @Test func `a process without an id has null there`() {
    let record = TapRecord.process(
      name: "/targets", role: .feature, processID: 0, state: "down", now: Self.start)
    #expect(
      String(decoding: record.json(counter: 1), as: UTF8.self)
        == #"{"v":1,"k":"process","n":1,"t":"2026-11-29T14:02:07.314159Z","name":"/targets","#
        + #""role":"feature","pid":null,"state":"down"}"#)
  }
}
