import Machines
import PenstockCore
import Testing
import Wire

@Suite struct FeatureLimitTests {
  private static func feature() -> any FeatureMachine {
    var feature = makeFeatureMachine(LimitProgram())
    _ = feature.handle(.reset(sequence: 0, epoch: .zero, state: []))
    return feature
  }

  private func reduce(
    _ payload: Bytes, as sequence: UInt64, at feature: inout any FeatureMachine
  ) throws -> Message {
    let outputs = feature.handle(
      .work(
        Work(
          sequence: sequence, epoch: .zero, path: .root, payload: payload, now: 0, seed: 0,
          wantsPatch: false, isReplay: false)))
    guard case .send(let message)? = outputs.first, outputs.count == 1 else {
      throw WireError(code: .malformed, message: "no answer: \(outputs)")
    }
    return message
  }

  private func isTooLarge(_ message: Message) -> Bool {
    if case .answer(let answer) = message, case .tooLarge = answer.result { true } else { false }
  }

  @Test func `an answer that no message can hold is replaced by one that says so (N-9)`() throws {
    var feature = Self.feature()
    _ = try Codec.encode(try reduce([10], as: 1, at: &feature))
    let answer = try reduce([11], as: 2, at: &feature)
    do throws(WireError) {
      _ = try Codec.encode(answer)
      Issue.record("1,100 sends were encoded")
    } catch {
      let replacement = try #require(feature.replacement(for: answer, error))
      #expect(isTooLarge(replacement))
      guard case .answer(let replaced) = replacement else { return }
      #expect(replaced.sequence == 2 && replaced.epoch == .zero)
      _ = try Codec.encode(replacement)
    }
  }

  @Test func `what has no such answer is not replaced`() {
    let feature = Self.feature()
    let error = WireError(code: .tooLarge, message: "")
    #expect(feature.replacement(for: .initialState([], mounts: []), error) == nil)
    #expect(feature.replacement(for: .ready(sequence: 1), error) == nil)
  }

  @Test func `an action that makes the state too large is refused, and smaller ones go on (N-9)`()
    throws
  {
    var feature = Self.feature()
    let large = Bytes(repeating: 0, count: 1 << 20)
    var sequence: UInt64 = 0
    var last: Message
    repeat {
      sequence += 1
      last = try reduce(large, as: sequence, at: &feature)
    } while !isTooLarge(last) && sequence < 100
    #expect(sequence == 16)
    _ = feature.handle(.squash(epoch: Epoch(start: 0, squash: 1), sequence: sequence - 1))
    #expect(!isTooLarge(try reduce([0], as: sequence + 1, at: &feature)))
    // Of what a marker asks for, a message can be made.
    let outputs = feature.handle(
      .marker(Marker(id: 1, sequence: sequence + 1, epoch: .zero, since: nil)))
    guard case .send(let state)? = outputs.first else {
      Issue.record("no state: \(outputs)")
      return
    }
    _ = try Codec.encode(state)
  }

  @Test(arguments: [0, 1, 100])
  func `what nests deeper than JSON is read is refused, by the difference alone (N-9)`(
    around: Int
  ) throws {
    let rest = JSONReader.maximumDepth - around
    for (names, nesting, fits) in [
      (0, rest, true), (0, rest + 1, false), (rest, 0, true), (rest + 1, 0, false),
      (rest - 20, 20, true), (rest - 20, 21, false),
    ] {
      var feature = makeFeatureMachine(
        NestingProgram(unboundedDepth: around, names: names, nesting: nesting))
      _ = feature.handle(.reset(sequence: 0, epoch: .zero, state: []))
      let answer = try reduce([0], as: 1, at: &feature)
      #expect(isTooLarge(answer) != fits, "\(names) names, \(nesting) arrays")
    }
  }

  @Test func `brackets in texts nest nothing`() {
    #expect(JSONScan.depth(of: Array(#"{"[{":["\"[[",{"a":"]\\"}],"b":[[]]}"#.utf8)) == 3)
    #expect(JSONScan.depth(of: Array("12".utf8)) == 0)
  }
}
