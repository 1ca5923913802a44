/// Collects the operations of a patch while a difference descends into a state.
public struct PatchBuilder: Sendable {
  public private(set) var operations: [PatchOperation] = []
  private var path: [String]

  public init(at path: [String] = []) { self.path = path }

  public mutating func set(_ value: some JSONCodable) {
    append(.set(JSONWriter.bytes(of: value)))
  }

  public mutating func append(_ change: PatchOperation.Change) {
    operations.append(PatchOperation(path: path, change: change))
  }

  /// Appends an operation that was made for the state in which the builder stands.
  public mutating func append(lifting operation: PatchOperation) {
    operations.append(PatchOperation(path: path + operation.path, change: operation.change))
  }

  public mutating func enter(_ name: String) { path.append(name) }
  public mutating func leave() { path.removeLast() }

  /// The difference of one member, if there is one.
  @inlinable
  public mutating func member<T: JSONCodable>(_ name: String, _ old: T, _ new: T) {
    if old != new {
      enter(name)
      T.difference(from: old, to: new, into: &self)
      leave()
    }
  }

  /// A change of one member.
  public mutating func member(_ name: String, _ change: PatchOperation.Change) {
    operations.append(PatchOperation(path: path + [name], change: change))
  }
}

extension JSONCodable {
  /// What turns `old` into `new`.
  public static func patch(from old: Self, to new: Self) -> Patch {
    guard old != new else { return Patch() }
    var builder = PatchBuilder()
    difference(from: old, to: new, into: &builder)
    return Patch(builder.operations)
  }

  public mutating func apply(_ patch: Patch) throws(JSONError) {
    for operation in patch.operations { try apply(operation.change, at: operation.path[...]) }
  }
}
