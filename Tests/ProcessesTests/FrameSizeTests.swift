import Testing
import Wire
import ZeroMQ

@Test func `a binding socket takes every frame that the protocol allows`() {
  #expect(Socket.largestMessage >= Int64(Limits.frame))
}
