/// The name that a ROUTER gave to one connection. libzmq's own are a zero and four bytes; peers that
/// named themselves are not talked to.
package struct RoutingID: Hashable, Sendable {
  package var number: UInt32

  package init(_ number: UInt32) { self.number = number }

  static let size = 5

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == RoutingID.size, bytes[0] == 0 else { return nil }
    number = bytes[1...].reduce(0) { $0 << 8 | UInt32($1) }
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(byteCount: RoutingID.size, alignment: 1) { bytes in
      bytes[0] = 0
      for index in 1..<RoutingID.size {
        bytes[index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * (4 - index)))
      }
      return body(UnsafeRawBufferPointer(bytes))
    }
  }
}
