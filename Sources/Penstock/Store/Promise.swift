internal import Synchronization

/// A value that comes once, for any number of tasks that wait for it.
package final class Promise<Value: Sendable>: Sendable {
  private struct Content {
    var result: Result<Value, any Error>?
    var waiting: [UInt64: CheckedContinuation<Value, any Error>] = [:]
    var lastID: UInt64 = 0
  }

  private let content = Mutex(Content())

  package init() {}

  /// Only the first call counts.
  package func fulfil(_ result: Result<Value, any Error>) {
    let waiting = content.withLock { content in
      guard content.result == nil else { return Content().waiting }
      content.result = result
      defer { content.waiting = [:] }
      return content.waiting
    }
    for continuation in waiting.values { continuation.resume(with: result) }
  }

  /// - Throws: what the promise ended with, or `CancellationError` when the waiting task is cancelled.
  package func value() async throws -> Value {
    let id = content.withLock { content in
      content.lastID += 1
      return content.lastID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known = content.withLock { content -> Result<Value, any Error>? in
          if let result = content.result { return result }
          if Task.isCancelled { return .failure(CancellationError()) }
          content.waiting[id] = continuation
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      let waiting = content.withLock { $0.waiting.removeValue(forKey: id) }
      waiting?.resume(throwing: CancellationError())
    }
  }
}
