public import FoundationEssentials
public import Penstock

/// What reducers under test get from `@Dependency`. A change counts from the next action on.
public struct TestInputs: Sendable {
  /// How `uuid()` makes identifiers.
  public struct UUIDs: Sendable {
    let make: @Sendable (Int) -> UUID

    /// `00000000-0000-0000-0000-000000000000`, then `…0001` and so on, over the whole test.
    public static let incrementing = UUIDs { index in .counted(index) }

    public static func constant(_ id: UUID) -> UUIDs { UUIDs { _ in id } }

    /// The identifiers in this order; one more is as if the list were counted on.
    public static func list(_ ids: [UUID]) -> UUIDs {
      UUIDs { $0 < ids.count ? ids[$0] : .counted($0) }
    }
  }

  public var uuids = UUIDs.incrementing
  /// What `random` gives are other numbers for another seed, and the same ones in each run.
  public var seed: UInt64

  public init(uuids: UUIDs = .incrementing, seed: UInt64 = 0) {
    self.uuids = uuids
    self.seed = seed
  }

  /// What features that are not part of the test share, as their readers are given it.
  private var shared: [SharedName: any Sendable] = [:]

  /// Says what a reader is given of a feature that is not part of the test. In place of one that is,
  /// too.
  public mutating func share<Value>(_ value: Value, as shared: SharedValue<Value>) {
    self.shared[shared.name] = value
  }

  func replacements(after count: Int) -> InputReplacements {
    var replacements = InputReplacements()
    replacements.uuid = uuids.make
    replacements.uuids = count
    replacements.shared = shared
    return replacements
  }
}

extension UUID {
  /// The identifier with this number at its end.
  public static func counted(_ number: Int) -> UUID { InputReplacements.counted(number) }
}
