public import Penstock

/// What the examples' operations need of HTTP; the worker's `main` says who does it.
public struct HTTPClient: Sendable {
  public struct Response: Hashable, Sendable {
    public var status: Int
    /// The beginning of the body.
    public var body: String
    /// Microseconds from the request to the end of the body.
    public var latency: Int64

    public init(status: Int, body: String, latency: Int64) {
      self.status = status
      self.body = body
      self.latency = latency
    }
  }

  /// A GET; the time-out is in milliseconds.
  /// - Throws: `Failure` when no answer came.
  public var get: @Sendable (_ url: String, _ timeout: Int64) async throws -> Response

  public init(get: @escaping @Sendable (_ url: String, _ timeout: Int64) async throws -> Response) {
    self.get = get
  }
}

extension HTTPClient: DependencyKey {
  /// Nothing is live by itself: features and workers of tests have no HTTP library.
  public static var liveValue: HTTPClient {
    HTTPClient { url, _ in
      throw Failure(code: "no-http", message: "this worker was given no HTTP client for \(url)")
    }
  }
}
