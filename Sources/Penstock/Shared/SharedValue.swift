public import PenstockCore

/// A value that one feature owns and others read: a stored field of the owner's state.
///
/// The owner changes it as it changes any other field, and an action to the owner is the only way for
/// others to write it. Readers declare it in their logic, with `Reduce(reading:)`, and are given it as
/// it was after all records before theirs, whatever process the owner runs in (R15).
///
/// ```swift
/// extension Settings {
///   static let interval = SharedValue("/settings", \State.interval)
/// }
/// ```
public struct SharedValue<Value: JSONCodable>: Sendable {
  package let read: SharedRead

  /// - Parameters:
  ///   - owner: the address of the owner, which has to be there always: all on the way to it are
  ///     children by `Scope` over stored fields.
  ///   - field: a stored field, in which no child is mounted. It travels to readers in other processes
  ///     with each of their actions, so it should be small.
  public init<Owner: ObservableState>(
    _ owner: String, _ field: any KeyPath<Owner, Value> & Sendable
  ) {
    guard let path = Path(owner) else {
      preconditionFailure("“\(owner)” is not the path of a feature, such as /settings")
    }
    guard let name = Owner.fieldName(of: field) else {
      preconditionFailure("A value that \(owner) shares has to be a stored field of \(Owner.self)")
    }
    read = SharedRead(
      name: SharedName(path: path, field: name), owner: ObjectIdentifier(Owner.self),
      ownerName: String(reflecting: Owner.self),
      extract: { ($0 as? Owner)?[keyPath: field] },
      decode: { bytes throws(UndecodableError) in
        do {
          return try JSONReader.decode(Value.self, from: bytes)
        } catch {
          throw UndecodableError("The value of \(path)#\(name) is not a \(Value.self): \(error)")
        }
      })
  }

  /// `/settings#interval`, as `describe` lists it.
  public var name: SharedName { read.name }

  /// The value in the transition that runs.
  var current: Value {
    // First whether it is there: where `Value` is optional, what is not casts to it as nil.
    guard let any = TransitionInputs.required.shared[read.name], let value = any as? Value else {
      preconditionFailure("\(read.name) is read by logic that did not declare it")
    }
    return value
  }
}

/// A shared value with its types erased.
package struct SharedRead: Sendable {
  package let name: SharedName
  /// The type of the owner's state.
  let owner: ObjectIdentifier
  let ownerName: String
  /// The value in the owner's state.
  let extract: @Sendable (Any) -> (any Sendable)?
  let decode: @Sendable (Bytes) throws(UndecodableError) -> any Sendable
}
