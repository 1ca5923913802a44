import CSystem
import Glibc
import Synchronization

/// What ties a process to whoever started it: signals that ask it to end, a descriptor to tell that it
/// is ready, and a lifeline.
///
/// Make it first thing in `main`, before any thread: the signals are blocked in all of them.
package final class Supervision: Sendable {
  /// Readable when somebody asked the process to end (SIGTERM, SIGINT, SIGHUP).
  package let signalDescriptor: Int32
  private let readyDescriptor: Int32?
  private let lifeline: OwnedThread?
  private let isReady = Atomic(false)
  /// Requests to stop, where several loops share a process and its signals.
  private let requests: Inbox<Int32>?
  private let ready: @Sendable () -> Void

  /// - Parameters:
  ///   - readyDescriptor: gets a line when the process is ready, as s6's notification wants it.
  ///   - lifelineDescriptor: when its other end is closed, the process ends at once, whatever it is
  ///     doing: no process outlives its supervisor.
  package init(
    readyDescriptor: Int32? = nil, lifelineDescriptor: Int32? = nil
  ) throws(SystemError) {
    penstock_ignore_broken_pipes()
    signalDescriptor = penstock_signals_open([SIGTERM, SIGINT, SIGHUP], 3)
    guard signalDescriptor >= 0 else { throw SystemError.last("can't take signals") }
    self.readyDescriptor = readyDescriptor
    requests = nil
    ready = {}
    for descriptor in [readyDescriptor, lifelineDescriptor].compactMap({ $0 }) {
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
        throw SystemError.last("descriptor \(descriptor), named on the command line, is not open")
      }
    }
    lifeline = lifelineDescriptor.map { descriptor in
      OwnedThread(name: "lifeline") {
        var byte: UInt8 = 0
        // Descriptors that don't block are waited for; whatever comes, only the end counts.
        while true {
          var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          poll(&event, 1, -1)
          let count = read(descriptor, &byte, 1)
          if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { _exit(0) }
        }
      }
    }
  }

  /// For one of several loops in a process, whose owner asks it to stop and is told that it is ready.
  package init(ready: @escaping @Sendable () -> Void) {
    let requests = Inbox<Int32>()
    self.requests = requests
    self.ready = ready
    signalDescriptor = requests.fileDescriptor
    readyDescriptor = nil
    lifeline = nil
  }

  /// Asks the loop to stop, as a signal would.
  package func requestStop(_ signal: Int32) { requests?.put(signal) }

  /// Tells the supervisor; only the first call does anything.
  package func announceReady() {
    guard !isReady.exchange(true, ordering: .relaxed) else { return }
    ready()
    guard let readyDescriptor else { return }
    write(readyDescriptor, "\n", 1)
    close(readyDescriptor)
  }

  /// The signal that asked the process to end.
  package func takeSignal() -> Int32? {
    if let requests { return requests.take().first }
    let signal = penstock_signals_next(signalDescriptor)
    return signal == 0 ? nil : signal
  }
}
