import CSystem
import Glibc

/// A thread of the system's, for loops that block: the cooperative pool is only as wide as the cores.
package final class OwnedThread: Sendable {
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  private let thread: pthread_t

  /// - Parameter name: at most 15 bytes are kept; debuggers and `ps -L` show it.
  package init(name: String, _ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
        penstock_name_thread(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    precondition(result == 0, "the system gave no thread")
    self.thread = thread
  }

  /// Another name for the thread that calls it.
  package static func rename(_ name: String) { penstock_name_thread(name) }

  /// Waits until the body has returned. Call it once.
  package func join() { pthread_join(thread, nil) }
}
