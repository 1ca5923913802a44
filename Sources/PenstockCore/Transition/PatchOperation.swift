/// One change of an encoded state. States are trees of JSON objects (a struct's fields, an enum's
/// case, a collection's elements by id), so a place in them is a list of member names.
public struct PatchOperation: Hashable, Sendable {
  public enum Change: Hashable, Sendable {
    /// Replaces the member, or appends it when the object has none of that name.
    case set(Bytes)
    /// Inserts a new member at an index of an ordered object (a collection).
    case insert(Bytes, at: Int)
    case remove
    /// Moves an existing member so that it stands at the index afterwards.
    case move(to: Int)
  }

  /// Member names from the state that the patch belongs to; empty means the whole state.
  public var path: [String]
  public var change: Change

  public init(path: [String], change: Change) {
    self.path = path
    self.change = change
  }
}
