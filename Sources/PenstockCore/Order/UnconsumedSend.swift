/// A send of a transition whose record has not come yet.
package struct UnconsumedSend: Hashable, Sendable {
  package var cause: UInt64
  package var index: UInt32
  package var send: Send

  package init(cause: UInt64, index: UInt32, send: Send) {
    self.cause = cause
    self.index = index
    self.send = send
  }
}
