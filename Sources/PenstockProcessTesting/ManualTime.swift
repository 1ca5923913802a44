import Synchronization

/// Order time that stands still until a test moves it; microseconds since 1970.
final class ManualTime: Sendable {
  private let value: Atomic<Int64>

  init(_ now: Int64) { value = Atomic(now) }

  var now: Int64 { value.load(ordering: .sequentiallyConsistent) }

  func move(to moment: Int64) { value.store(moment, ordering: .sequentiallyConsistent) }
}
