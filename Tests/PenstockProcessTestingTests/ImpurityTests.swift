import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@testable import scenarios

/// The harness compares what processes do with a replay in the test: here they do something else.
@Suite(.serialized) struct ImpurityTests {
  @Test(arguments: [
    (
      Draws.Cheat.state,
      """
      .draws(.cheat(.state)): In processes it led to another state than in one (− in one, + in \
      processes).
      """
    ),
    (.effect, "After what action 1 causes other effects are alive in processes than in one."),
    (
      .send,
      """
      The processes' order can't be replayed. Record 2: Send 0 of 1 was not made, or stands in the \
      order already.
      """
    ),
    (.remark, "Of action 1 something else was said in processes than in one."),
  ])
  func `what a reducer does in processes alone is told`(
    cheat: Draws.Cheat, beginning: String
  ) async throws {
    let said = try await texts {
      try await Harness.processes.scenario("draws") { store in
        store.exhaustivity = .off
        await store.send(.draws(.cheat(cheat)))
      }
    }
    #expect(said.firstLines == [beginning], "\(said)")
    let fine = try await texts {
      try await Harness.oneProcess.scenario("draws") { store in
        await store.send(.draws(.cheat(cheat)))
      }
    }
    #expect(fine == [])
  }
}
