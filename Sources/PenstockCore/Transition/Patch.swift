/// Encoded JSON, or any other payload that is moved without being understood.
public typealias Bytes = [UInt8]

/// Changes of one state in the order in which they apply.
public struct Patch: Hashable, Sendable {
  public var operations: [PatchOperation]

  public init(_ operations: [PatchOperation] = []) { self.operations = operations }

  public var isEmpty: Bool { operations.isEmpty }

  /// The same changes seen from a state that holds this one at `prefix`.
  public func lifted(by prefix: [String]) -> Patch {
    prefix.isEmpty
      ? self : Patch(operations.map { PatchOperation(path: prefix + $0.path, change: $0.change) })
  }
}
