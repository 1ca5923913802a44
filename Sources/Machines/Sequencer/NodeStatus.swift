/// Where a node's process is in its life.
package enum NodeStatus: String, Hashable, Sendable {
  /// Never registered since this router's start.
  case absent
  case restarting
  case catchingUp = "catching-up"
  case up
  case down
}
