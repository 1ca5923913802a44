/// Why bytes are not the expected JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Bytes from the start of the text.
  public var offset: Int
  /// A sentence without the final stop.
  public var message: String

  public init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }

  public var description: String { "\(message) at byte \(offset)" }
}
