/// The name that a ROUTER gave to one connection. libzmq's own are a zero and four bytes; peers that
/// named themselves are not talked to.
package struct RoutingID: Hashable, Sendable {
  package let bytes: [UInt8]

  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 5, bytes.first == 0 else { return nil }
    self.bytes = Array(bytes)
  }
}
