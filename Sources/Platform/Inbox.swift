import CSystem
import Glibc
package import Synchronization

/// The one way in which threads hand things to each other: batches, and a descriptor to poll.
///
/// The descriptor is written only when the inbox was empty, so a burst costs one system call.
package final class Inbox<Element: Sendable>: Sendable {
  @usableFromInline let waiting = Mutex<[Element]>([])
  /// Readable while something waits.
  package let fileDescriptor: Int32

  package init() {
    fileDescriptor = penstock_event_open()
    precondition(fileDescriptor >= 0, "no event descriptor: too many open files")
  }

  deinit { close(fileDescriptor) }

  @inlinable package func put(_ element: Element) {
    let wasEmpty = waiting.withLock { waiting in
      defer { waiting.append(element) }
      return waiting.isEmpty
    }
    if wasEmpty { penstock_event_signal(fileDescriptor) }
  }

  @inlinable package func put(_ elements: [Element]) {
    let wasEmpty = waiting.withLock { waiting in
      defer { waiting.append(contentsOf: elements) }
      return waiting.isEmpty
    }
    if wasEmpty, !elements.isEmpty { penstock_event_signal(fileDescriptor) }
  }

  /// Everything that waits, in the order in which it was put.
  @inlinable package func take() -> [Element] {
    penstock_event_clear(fileDescriptor)
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Blocks the thread until something waits, and takes it.
  package func wait() -> [Element] {
    while true {
      let elements = take()
      if !elements.isEmpty { return elements }
      var event = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&event, 1, -1)
    }
  }

  /// Blocks the thread until something waits, and takes it; nil when nothing came within the time.
  package func wait(milliseconds: Int32) -> [Element]? {
    var event = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    poll(&event, 1, milliseconds)
    let elements = take()
    return elements.isEmpty ? nil : elements
  }
}
