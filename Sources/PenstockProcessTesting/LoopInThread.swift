import Glibc
import Platform
import Processes

/// One of the loops that are processes elsewhere, in a thread of this one.
final class LoopInThread: Sendable {
  private let supervision: Supervision
  private let thread: OwnedThread

  init(_ name: String, _ body: @escaping @Sendable (Supervision) -> ExitCode) {
    let supervision = Supervision(ready: {})
    self.supervision = supervision
    thread = OwnedThread(name: name) { _ = body(supervision) }
  }

  /// Asks it to end, and waits for it.
  func stop() {
    supervision.requestStop(SIGTERM)
    thread.join()
  }
}
