/// A frame as a value; links move encoded messages instead.
package struct Frame: Hashable, Sendable {
  package var header: LinkHeader
  package var messages: [Message]

  /// `header.count` is set from the messages.
  package init(header: LinkHeader, messages: [Message]) {
    self.header = header
    self.header.count = UInt16(truncatingIfNeeded: messages.count)
    self.messages = messages
  }
}
