@testable import Machines
import PenstockCore
import Testing
import Wire

@Suite struct RouterLimitTests {
  private static let error = WireError(code: .tooLarge, message: "body: 20 MB.")

  @Test func `an answer to a question that no message can hold is replaced by the code`() throws {
    let reply = Message.reply(id: 7, status: 0, body: Bytes(repeating: 0, count: (16 << 20) + 1))
    let replacement = try #require(RouterMachine.replacement(for: reply, Self.error))
    guard case .reply(7, let status, let body) = replacement else {
      Issue.record("\(replacement)")
      return
    }
    #expect(status == ErrorCode.tooLarge.rawValue)
    #expect(String(decoding: body, as: UTF8.self) == #"{"message":"body: 20 MB."}"#)
    _ = try Codec.encode(replacement)
  }

  @Test func `what was admitted at the limit is journaled, wrapped by the router too`() throws {
    // The value of an output of exactly the limit, in the cases of its action.
    let value = Bytes(repeating: 49, count: Limits.payload)
    let payload = JSONScan.wrap(value, in: ["answered", "success"])
    #expect(payload.count > Limits.payload)
    let id = EffectID(sequence: 1, path: .root, index: 0)
    let origin = Origin.output(effect: id, index: 0, isFinal: true)
    var part = RouterPart(sequence: 8, now: 2)
    part.waiting = [
      Waiting(origin: origin, path: .root, payload: payload, correlation: 1, since: 3)
    ]
    var quarantine = Quarantine()
    var record = OrderRecord(
      sequence: 4, path: .root, payload: payload, now: 0, seed: 0, origin: origin, correlation: 1)
    record.mark = .poison
    quarantine.add(record)
    let checkpoint = Checkpoint(
      schemaHash: 1, part: part, state: Bytes("{}".utf8), sessions: [:], quarantine: quarantine)
    #expect(try Checkpoint(decoding: checkpoint.encode()) == checkpoint)
    // And the node that it is for can be told.
    _ = try Codec.encode(
      .work(
        Work(
          sequence: 9, epoch: .zero, path: .root, payload: payload, now: 0, seed: 0,
          wantsPatch: false, isReplay: false, cause: 1, correlation: 1)))
  }

  @Test func `an action inside its parents' cases is not peeled to a path that is too long`() throws
  {
    let levels = [
      LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true),
      LevelDescription(
        path: Path("/rows/*")!, kind: .collection, statePath: ["rows", "*"], hasLogic: true),
    ]
    let topology = try Topology(
      description: ApplicationDescription(name: "app", levels: levels), placement: [])
    var sequencer = Sequencer(topology: topology, configuration: SequencerConfiguration(), start: 1)
    for (count, isPeeled) in [(Limits.path - 6, true), (Limits.path - 5, false)] {
      let id = String(repeating: "x", count: count)
      let payload = Bytes(#"{"rows":{"element":{"id":"\#(id)","action":"tap"}}}"#.utf8)
      let found = sequencer.canonical(.root, payload)
      let address = try #require(found)
      #expect(address.path == (isPeeled ? Path("/rows/\(id)")! : .root))
      #expect(address.payload == (isPeeled ? Bytes("\"tap\"".utf8) : payload))
    }
  }

  @Test func `who can't be told his state is not told another one`() {
    let state = StateMessage(subscription: 1, asOf: 1, body: .snapshot(nil))
    #expect(RouterMachine.replacement(for: .state(state), Self.error) == nil)
  }
}
