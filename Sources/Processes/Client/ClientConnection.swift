import CSystem
import Glibc
import Machines
package import PenstockCore
import Platform
package import Wire
package import ZeroMQ

/// A client of a running system: a session whose actions apply once, mirrors of states, and questions.
///
/// A thread of its own has the socket. It connects, and connects anew, by itself; whoever does not want
/// to wait for ever gives up after a time of his own.
package final class ClientConnection: Sendable {
  /// The router does not go on with this client, or the connection was closed.
  package struct Ended: Error, Hashable, Sendable, CustomStringConvertible {
    package var refusal: Refusal?

    package var description: String { refusal?.message ?? "the connection is closed" }
  }

  /// A published state of a path: a consistent cut.
  package struct State: Hashable, Sendable {
    /// Everything up to this sequence is in it.
    package var asOf: UInt64
    /// nil when nothing is mounted at the path.
    package var value: Bytes?
  }

  package struct Reply: Hashable, Sendable {
    /// 0, or an error code of the wire.
    package var status: UInt16
    package var body: Bytes
  }

  package struct Action: Sendable {
    package var path: Path
    package var payload: Bytes
    /// The field that a binding sets: a newer value may replace this one while it is queued.
    package var field: String?

    package init(path: Path, payload: Bytes, field: String? = nil) {
      self.path = path
      self.payload = payload
      self.field = field
    }
  }

  private let commands = Inbox<ClientLoop.Command>()
  private let thread: OwnedThread

  /// - Parameters:
  ///   - application: when it is said, the router refuses a client of another one.
  ///   - schemaHash: when it is said, the router refuses a client of another build.
  ///   - session: keep it to go on with a session of before; each one belongs to one client.
  package init(
    endpoint: Endpoint, name: String, application: String = "", schemaHash: UInt64 = 0,
    session: UInt64 = penstock_random()
  ) {
    let hello = Hello(
      role: .client, name: name, session: session, processID: UInt32(getpid()),
      application: application, schemaHash: schemaHash)
    thread = OwnedThread(name: "client") { [commands] in
      ClientLoop.run(commands, endpoint: endpoint, hello: hello)
    }
  }

  deinit { commands.put(.close) }

  /// Ends the connection and waits for its thread; what has no outcome yet fails.
  package func close() {
    commands.put(.close)
    thread.join()
  }

  /// Submits actions in this order. `settled` is called on the connection's thread, once for each, with
  /// its place among them.
  package func submit(
    _ actions: [Action],
    settled: @escaping @Sendable (Int, Result<ClientOutcome, Ended>) -> Void
  ) {
    commands.put(.submit(actions, settled))
  }

  /// Submits one action and waits for its outcome.
  package func submit(
    _ path: Path, _ payload: Bytes
  ) async throws -> ClientOutcome {
    let action = Action(path: path, payload: payload)
    return try await withCheckedThrowingContinuation { continuation in
      submit([action]) { continuation.resume(with: $1.mapError { $0 as any Error }) }
    }
  }

  /// The states at a path, the current one first. Who reads slowly gets the newest.
  package func states(of path: Path) -> AsyncThrowingStream<State, any Error> {
    let (stream, continuation) = AsyncThrowingStream<State, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let id = penstock_random()
    continuation.onTermination = { [commands] _ in commands.put(.unsubscribe(id)) }
    commands.put(.subscribe(id, path, continuation))
    return stream
  }

  /// Asks the router.
  package func request(_ verb: String, _ body: Bytes = []) async throws -> Reply {
    try await withCheckedThrowingContinuation { continuation in
      request(verb, body) { continuation.resume(with: $0.mapError { $0 as any Error }) }
    }
  }

  /// Asks the router; `answered` is called once, on the connection's thread.
  package func request(
    _ verb: String, _ body: Bytes,
    answered: @escaping @Sendable (Result<Reply, Ended>) -> Void
  ) {
    commands.put(.request(verb, body, answered))
  }

  /// Whether the router has accepted this client.
  package var isWelcome: Bool {
    get async {
      await withCheckedContinuation { commands.put(.isWelcome($0)) }
    }
  }

  /// What the router said when it accepted this client.
  package func welcome() async throws -> Welcome {
    try await withCheckedThrowingContinuation { commands.put(.welcome($0)) }
  }
}
