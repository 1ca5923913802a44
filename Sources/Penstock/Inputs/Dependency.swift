public import FoundationEssentials

/// An input of a reducer: `@Dependency(\.now) var now`.
///
/// Everything comes from the record that is being reduced, so replaying it gives the same.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let keyPath: any KeyPath<ReducerInputs, Value> & Sendable

  public init(_ keyPath: any KeyPath<ReducerInputs, Value> & Sendable) { self.keyPath = keyPath }

  public var wrappedValue: Value { ReducerInputs()[keyPath: keyPath] }
}

/// What reducers can depend on.
public struct ReducerInputs: Sendable {
  /// Order time: the same in every process that reduces the record.
  public var now: Date {
    Date(timeIntervalSince1970: Double(TransitionInputs.required.now) / 1_000_000)
  }
  public var uuid: UUIDGenerator { UUIDGenerator() }
  public var random: RandomGenerator { RandomGenerator() }
  /// Whether the feature, or one around it, can take itself away with `.dismiss`.
  public var isPresented: Bool { TransitionInputs.required.isPresented }
  public var logger: ReducerLogger { ReducerLogger() }
}

/// Makes identifiers: `uuid()`.
public struct UUIDGenerator: Sendable {
  public func callAsFunction() -> UUID {
    let inputs = TransitionInputs.required
    if let replacements = inputs.replacements, let uuid = replacements.uuid {
      return uuid(inputs.nextUUID(after: replacements.uuids))
    }
    let (high, low) = (inputs.draw(), inputs.draw())
    func byte(_ value: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: value >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6) & 0x0F | 0x40, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1),
        byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

/// Random numbers: `Int.random(in: 1...6, using: &random)` with a local copy, or `random()`.
public struct RandomGenerator: RandomNumberGenerator, Sendable {
  public func next() -> UInt64 { TransitionInputs.required.draw() }
  public func callAsFunction() -> UInt64 { next() }
  public func callAsFunction(in range: ClosedRange<Int>) -> Int {
    var generator = self
    return Int.random(in: range, using: &generator)
  }
}
