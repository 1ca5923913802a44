/// What an acknowledgement survives.
package enum Durability: Hashable, Sendable {
  /// Everything, power failures included: each transaction is synced to the disk.
  case full
  /// The end of every process, however it ends: the system has the data, but it is not synced. When
  /// the system itself stops (power, kernel), the last seconds may be lost, always a tail of the
  /// order: what is left is a prefix that is consistent in itself.
  case processOnly

  var synchronous: String {
    switch self {
    case .full: "FULL"
    case .processOnly: "OFF"
    }
  }
}
