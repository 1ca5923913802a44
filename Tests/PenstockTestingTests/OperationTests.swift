import Penstock
import PenstockTesting
import Testing

/// An operation runs alone, with its dependencies replaced.
struct OperationTests {
  @Test("An operation gives its output, with the client of the test")
  func output() async {
    let trial = await NumberFact(number: 7).trial {
      $0[FactClient.self] = FactClient { "\($0) is a number" }
    }
    #expect(trial.outputs == ["7 is a number"])
    #expect(trial.failure == nil)
  }

  @Test("What it throws is its failure")
  func failure() async {
    let trial = await NumberFact(number: 7).trial {
      $0[FactClient.self] = FactClient { _ in throw Failure(code: "offline", message: "no line") }
    }
    #expect(trial.outputs == [])
    #expect(trial.failure == Failure(code: "offline", message: "no line"))
    let cancelled = await NumberFact(number: 7).trial {
      $0[FactClient.self] = FactClient { _ in throw CancellationError() }
    }
    #expect(cancelled.isCancelled)
  }

  @Test("A stream goes on where an earlier attempt ended, and its heartbeats are kept")
  func stream() async {
    let trial = await Stream(upTo: 7).trial(attempt: 2, nextIndex: 5)
    #expect(trial.outputs == [5, 6])
    #expect(trial.heartbeats == [Array("5".utf8), Array("6".utf8)])
    #expect(trial.log == ["at 5", "at 6"])
    #expect(trial.failure?.code == "much")
  }

  @Test("Reaching a live client by accident is a failure that names it")
  func live() async {
    let texts = await texts { _ = await NumberFact(number: 7).trial() }
    #expect(
      texts == [
        """
        NumberFact reached the live FactClient in a test.

        Replace it: “.trial { $0[FactClient.self] = … }”, or give FactClient a testValue.
        """
      ])
  }
}
