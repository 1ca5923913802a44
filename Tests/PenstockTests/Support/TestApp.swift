import Penstock

/// An application around any reducer.
struct TestApp<Root: Reducer>: PenstockApp {
  static var name: String { "test" }
  static var operations: [any WorkerOperation.Type] {
    [NumberFact.self, Never_.self, Fails.self, Stream.self, CancelsItself.self]
  }

  let root: Root
  private let makeState: @Sendable () -> Root.State
  var initialState: Root.State { makeState() }

  init(_ root: Root, _ state: @escaping @autoclosure @Sendable () -> Root.State) {
    self.root = root
    makeState = state
  }

  init() { preconditionFailure("A test application is made of its root") }
}

/// Never ends by itself.
@Operation
struct Never_ {
  func run(_ context: OperationContext) async throws -> Int {
    try await ContinuousClock().sleep(until: .now + .seconds(100_000))
    return 0
  }
}

@Operation
struct Fails {
  var message: String

  func run(_ context: OperationContext) async throws -> Int {
    throw Failure(code: "\(context.attempt)", message: message)
  }
}

@Operation
struct CancelsItself {
  func run(_ context: OperationContext) async throws -> Int { throw CancellationError() }
}

/// Fails once in the middle, and goes on where it was.
@Operation
struct Stream {
  var upTo: Int

  func run(_ context: OperationContext, output: OutputSink<Int>) async throws {
    for number in Int(context.nextIndex)..<upTo {
      try await output(number)
      context.heartbeat(cursor: number)
      if number == 1, context.attempt == 1 { throw Failure(code: "once", message: "again") }
    }
  }
}
