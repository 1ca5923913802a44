internal import CCurl
internal import Glibc
public import HTTPFeature
internal import Penstock
internal import Synchronization

extension HTTPClient {
  /// HTTP and HTTPS by libcurl, which is opened with the first request. Each request has a thread.
  public static var curl: HTTPClient {
    HTTPClient { url, timeout in
      let request = CurlRequest(url: url, timeout: Int(timeout))
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { request.start($0) }
      } onCancel: {
        request.cancel()
      }
    }
  }
}

/// One request: its thread, and the flag that ends it.
private final class CurlRequest: Sendable {
  /// Only the beginning of a body is kept.
  static let largestBody = 256 << 10

  private let url: String
  private let timeout: Int
  /// Read by C while the request runs; its place must not move.
  private nonisolated(unsafe) let isCancelled = UnsafeMutablePointer<Atomic<Int32>>.allocate(
    capacity: 1)
  private let continuation =
    Mutex<CheckedContinuation<HTTPClient.Response, any Error>?>(nil)

  init(url: String, timeout: Int) {
    self.url = url
    self.timeout = timeout
    isCancelled.initialize(to: Atomic(0))
  }

  deinit {
    isCancelled.deinitialize(count: 1)
    isCancelled.deallocate()
  }

  func cancel() { isCancelled.pointee.store(1, ordering: .relaxed) }

  func start(_ continuation: CheckedContinuation<HTTPClient.Response, any Error>) {
    self.continuation.withLock { $0 = continuation }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let reference = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<CurlRequest>.fromOpaque(argument!).takeRetainedValue().perform()
        return nil
      }, reference.toOpaque())
    if result != 0 {
      reference.release()
      finish(.failure(Failure(code: "no-thread", message: "the system gave no thread")))
    }
  }

  private func perform() {
    var body = [CChar](repeating: 0, count: Self.largestBody)
    let answer = body.withUnsafeMutableBufferPointer { buffer in
      var result = penstock_http_result()
      result.body = buffer.baseAddress
      result.body_capacity = buffer.count
      let flag = UnsafeRawPointer(isCancelled).assumingMemoryBound(to: Int32.self)
      penstock_http_get(url, timeout, flag, &result)
      return result
    }
    switch answer.outcome {
    case PENSTOCK_HTTP_ANSWERED:
      let bytes = body[..<answer.body_length].map(UInt8.init(bitPattern:))
      finish(
        .success(
          HTTPClient.Response(
            status: Int(answer.status), body: String(decoding: bytes, as: UTF8.self),
            latency: answer.microseconds)))
    case PENSTOCK_HTTP_CANCELLED: finish(.failure(CancellationError()))
    case PENSTOCK_HTTP_TIMED_OUT:
      finish(
        .failure(Failure(code: "http-timeout", message: "no answer within \(timeout) ms")))
    default:
      var error = answer.error
      let text = withUnsafeBytes(of: &error) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      finish(.failure(Failure(code: "http", message: text)))
    }
  }

  private func finish(_ result: Result<HTTPClient.Response, any Error>) {
    continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }?.resume(with: result)
  }
}
