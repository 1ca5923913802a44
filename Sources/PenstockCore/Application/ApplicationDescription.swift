/// What the router learns of an application: names and shapes, no types.
public struct ApplicationDescription: Hashable, Sendable {
  public var name: String
  /// In order of declaration, a parent before its children; the first is the root.
  public var levels: [LevelDescription]
  /// Wire names of the operations that the application's workers serve.
  public var operations: [String]
  /// Types that are coded by Foundation's slow path.
  public var slowTypes: [String]
  /// Hash of the levels and the encoded shapes of states and actions.
  public var schemaHash: UInt64
  /// Which build of the application says this; 0 when it does not say. Two builds of one schema
  /// understand each other's states and may reduce differently.
  public var build: UInt64 = 0

  public init(
    name: String, levels: [LevelDescription], operations: [String] = [], slowTypes: [String] = [],
    schemaHash: UInt64 = 0
  ) {
    self.name = name
    self.levels = levels
    self.operations = operations
    self.slowTypes = slowTypes
    self.schemaHash = schemaHash
  }
}
