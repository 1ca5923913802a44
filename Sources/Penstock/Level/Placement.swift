/// Which scopes below a level are placed in processes of their own.
package final class Placement: Sendable {
  let isPlaced: Bool
  let children: [String: Placement]

  init(isPlaced: Bool, children: [String: Placement]) {
    self.isPlaced = isPlaced
    self.children = children
  }

  /// - Returns: nil when nothing below the node is placed.
  static func tree(_ paths: [ArraySlice<String>]) -> Placement? {
    let below = paths.filter { !$0.isEmpty }
    guard !paths.isEmpty else { return nil }
    let groups = Dictionary(grouping: below) { $0.first ?? "" }
    return Placement(
      isPlaced: below.count < paths.count,
      children: groups.compactMapValues { tree($0.map { $0.dropFirst() }) })
  }
}
