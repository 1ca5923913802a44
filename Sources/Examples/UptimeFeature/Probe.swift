internal import HTTPFeature
public import Penstock

/// One request to a target, judged.
@Operation
public struct Probe {
  public var url: String
  /// Milliseconds.
  public var timeout: Int64
  public var expectedStatus: Int
  public var expectedText: String?

  public init(url: String, timeout: Int64, expectedStatus: Int, expectedText: String?) {
    self.url = url
    self.timeout = timeout
    self.expectedStatus = expectedStatus
    self.expectedText = expectedText
  }

  public func run(_ context: OperationContext) async throws -> ProbeResult {
    let response = try await context.dependencies[HTTPClient.self].get(url, timeout)
    guard response.status == expectedStatus else {
      return ProbeResult(
        isUp: false, latency: response.latency,
        reason: "status \(response.status) instead of \(expectedStatus)")
    }
    if let expectedText, !response.body.contains(expectedText) {
      return ProbeResult(
        isUp: false, latency: response.latency, reason: "the text \"\(expectedText)\" is missing")
    }
    return ProbeResult(isUp: true, latency: response.latency, reason: "")
  }
}

@JSONCodable
public struct ProbeResult {
  public var isUp: Bool
  /// Microseconds.
  public var latency: Int64
  /// Why it is not up.
  public var reason: String

  public init(isUp: Bool, latency: Int64, reason: String) {
    self.isUp = isUp
    self.latency = latency
    self.reason = reason
  }
}
