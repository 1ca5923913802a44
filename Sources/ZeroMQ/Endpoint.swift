/// Where a socket binds or connects. Only `ipc` and `tcp` are accepted, whatever else libzmq knows.
package enum Endpoint: Hashable, Sendable, CustomStringConvertible {
  case ipc(path: String)
  /// Port 0 binds a free one.
  case tcp(host: String, port: UInt16)

  /// The longest path of a socket that the kernel takes.
  package static let maximumPathLength = 107

  /// Reads and checks an endpoint.
  /// - Throws: `TransportError` with a sentence that names the offending part.
  package init(_ text: String) throws(TransportError) {
    if text.hasPrefix("ipc://") {
      self = try Endpoint(path: String(text.dropFirst(6)))
    } else if text.hasPrefix("tcp://") {
      self = try Endpoint(address: text.dropFirst(6), in: text)
    } else {
      throw TransportError(
        .invalidEndpoint, "the endpoint \(text) is neither ipc://PATH nor tcp://HOST:PORT")
    }
  }

  /// An endpoint at a path of the file system.
  package init(path: String) throws(TransportError) {
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw TransportError(
        .invalidEndpoint, "the socket's path \"\(path)\" does not begin with /")
    }
    let length = path.utf8.count
    guard length <= Endpoint.maximumPathLength else {
      throw TransportError(
        .invalidEndpoint,
        """
        the socket's path has \(length) bytes, and the system takes \(Endpoint.maximumPathLength) \
        at most: \(path)
        """)
    }
    self = .ipc(path: path)
  }

  private init(address: Substring, in text: String) throws(TransportError) {
    guard let colon = address.lastIndex(of: ":"),
      let port = UInt16(address[address.index(after: colon)...]), colon > address.startIndex
    else {
      throw TransportError(.invalidEndpoint, "the endpoint \(text) is not tcp://HOST:PORT")
    }
    let host = String(address[..<colon])
    guard Endpoint.isLoopback(host) else {
      throw TransportError(
        .notPermitted,
        """
        \(text) is not on this machine's loopback (127.0.0.1, [::1], localhost), and links to other \
        machines are refused because they would be neither encrypted nor authenticated
        """)
    }
    self = .tcp(host: host, port: port)
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return parts.count == 4 && parts.allSatisfy { $0 != nil } && parts[0] == 127
  }

  package var description: String {
    switch self {
    case .ipc(let path): "ipc://\(path)"
    case .tcp(let host, let port): port == 0 ? "tcp://\(host):*" : "tcp://\(host):\(port)"
    }
  }
}
