/// How the variable part of a message's body is encoded.
package enum PayloadFormat: UInt8, Hashable, Sendable, CaseIterable {
  case none = 0
  case json = 1
  /// Penstock's own fields, some of which may hold JSON.
  case binary = 2
}
