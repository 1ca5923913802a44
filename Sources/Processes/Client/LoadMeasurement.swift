import Platform
import Wire

/// Keeps a number of actions on their way, and measures how fast and how soon they are committed.
package struct LoadMeasurement: Sendable {
  package struct Result: Sendable {
    package var committed = 0
    /// Void or refused.
    package var failed = 0
    package var wanted = 0
    package var inFlight = 0
    package var perSecond = 0.0
    /// Microseconds.
    package var median: Int64 = 0
    package var percentile99: Int64 = 0
    package var permille999: Int64 = 0

    package var isComplete: Bool { committed == wanted }

    package var json: String {
      """
      {"committed":\(committed),"failed":\(failed),"inFlight":\(inFlight),\
      "perSecond":\(Int(perSecond)),"p50":\(median),"p99":\(percentile99),\
      "p999":\(permille999)}
      """
    }
  }

  private enum Event: Sendable {
    case settled(submitted: Int64, at: Int64, isCommitted: Bool)
    case ended(String)
  }

  private let action: ClientConnection.Action
  private let count: Int
  private let inFlight: Int
  private let seconds: Int64

  package init(action: ClientConnection.Action, count: Int, inFlight: Int, seconds: Int64) {
    self.action = action
    self.count = count
    self.inFlight = inFlight
    self.seconds = seconds
  }

  /// Blocks the calling thread until all are committed or the time is over.
  package func run(_ connection: ClientConnection) -> Result {
    let events = Inbox<Event>()
    let start = SystemClock.monotonic
    var latencies: [Int64] = []
    latencies.reserveCapacity(count)
    var result = Result(wanted: count, inFlight: inFlight)
    var submitted = 0
    submit(min(inFlight, count), connection, events, &submitted)
    while result.committed + result.failed < count {
      if SystemClock.monotonic > start + seconds * 1_000_000 { break }
      guard let batch = events.wait(milliseconds: 1000) else { continue }
      var isOver = false
      for event in batch {
        guard case .settled(let submitted, let now, let isCommitted) = event else {
          isOver = true
          continue
        }
        latencies.append(now - submitted)
        if isCommitted { result.committed += 1 } else { result.failed += 1 }
      }
      if isOver { break }
      submit(min(batch.count, count - submitted), connection, events, &submitted)
    }
    let elapsed = SystemClock.monotonic - start
    latencies.sort()
    result.perSecond = Double(latencies.count) * 1_000_000 / Double(max(1, elapsed))
    if !latencies.isEmpty {
      result.median = latencies[latencies.count / 2]
      result.percentile99 = latencies[latencies.count * 99 / 100]
      result.permille999 = latencies[latencies.count * 999 / 1000]
    }
    return result
  }

  private func submit(
    _ number: Int, _ connection: ClientConnection, _ events: Inbox<Event>, _ submitted: inout Int
  ) {
    guard number > 0 else { return }
    submitted += number
    let now = SystemClock.monotonic
    connection.submit(Array(repeating: action, count: number)) { _, outcome in
      switch outcome {
      case .success(let outcome):
        var isCommitted = false
        if case .committed = outcome.status { isCommitted = true }
        events.put(
          .settled(submitted: now, at: SystemClock.monotonic, isCommitted: isCommitted))
      case .failure(let ended): events.put(.ended(ended.description))
      }
    }
  }
}
