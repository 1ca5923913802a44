package import FoundationEssentials

/// What a test store replaces of the inputs of reducers.
package struct InputReplacements: Sendable {
  /// The identifier of an index, counted over the whole test.
  package var uuid: (@Sendable (_ index: Int) -> UUID)?
  /// How many identifiers were made before.
  package var uuids = 0

  package init() {}
}
