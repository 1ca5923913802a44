import Machines
import PenstockCore
import Testing
import Wire

@Suite struct WorkerLimitTests {
  private static let effect = EffectID(sequence: 1, path: .root, index: 0)
  private static let attempt = Attempt(start: 1, number: 1)

  private static func host() -> WorkerHost {
    var host = WorkerHost(
      hello: Hello(role: .worker, name: "w", session: 1))
    _ = host.linkStarted()
    _ = host.received(
      .welcome(Welcome(application: "", start: 1, nextClientSequence: 0, isDurable: true)))
    _ = host.received(
      .assign(
        Assignment(
          effect: effect, attempt: attempt, operation: "o", input: [], policy: EffectPolicy(),
          nextIndex: 0, cursor: [])))
    return host
  }

  /// The operation is stopped, and its effect fails for good.
  private func check(_ outputs: [WorkerHostOutput]) {
    #expect(outputs.first == .cancel(Self.effect, Self.attempt))
    guard case .send(.effectEnded(_, _, _, .failed(let code, _, let isRetryable)))? = outputs.last
    else {
      Issue.record("it did not fail: \(outputs)")
      return
    }
    #expect(code == "too-large")
    #expect(!isRetryable)
  }

  @Test(arguments: [true, false])
  func `an output that no message can hold fails its effect (W-9)`(isFinal: Bool) throws {
    var host = Self.host()
    let large = Bytes(repeating: 0x30, count: (1 << 20) + 1)
    check(host.produced(Self.effect, Self.attempt, large, isFinal: isFinal))
    #expect(host.running == 0)
    var other = Self.host()
    let fits = other.produced(
      Self.effect, Self.attempt, Bytes(large.dropLast()), isFinal: isFinal)
    guard case .send(let message)? = fits.first else {
      Issue.record("not sent: \(fits.count) outputs")
      return
    }
    _ = try Codec.encode(message)
  }

  @Test func `a cursor that no message can hold fails its effect (W-9)`() {
    var host = Self.host()
    check(
      host.heartbeat(
        Self.effect, Self.attempt, cursor: Bytes(repeating: 0, count: (64 << 10) + 1)))
  }
}
