import Penstock

/// An operation with one output; a negative number fails.
@Operation("work")
struct Work {
  var number: Int

  var outcome: Result<String, Failure> {
    number < 0
      ? .failure(Failure(code: "negative", message: "\(number) is negative"))
      : .success("done \(number)")
  }

  func run(_ context: OperationContext) async throws -> String { try outcome.get() }
}

/// An operation with several outputs.
@Operation("count")
struct Count {
  var upTo: Int

  func run(_ context: OperationContext, output: OutputSink<Int>) async throws {
    for number in 0..<upTo where number >= Int(context.nextIndex) { try await output(number) }
  }
}

func treeResult(_ name: String, _ input: Bytes) -> TestApplication.OperationResult {
  if let work = try? JSONReader.decode(Work.self, from: input), name == "work" {
    switch work.outcome {
    case .success(let text): return .init(outputs: [JSONWriter.bytes(of: text)])
    case .failure(let failure): return .init(outputs: [], failure: failure)
    }
  }
  if let count = try? JSONReader.decode(Count.self, from: input), name == "count" {
    return .init(outputs: (0..<count.upTo).map { JSONWriter.bytes(of: $0) })
  }
  return .init(
    outputs: [], failure: Failure(code: Failure.error, message: "\(name) is unknown"))
}
