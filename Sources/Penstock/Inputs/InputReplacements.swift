package import FoundationEssentials

/// What a test store replaces of the inputs of reducers.
package struct InputReplacements: Sendable {
  /// The identifier of an index, counted over the whole test.
  package var uuid: (@Sendable (_ index: Int) -> UUID)?
  /// How many identifiers were made before.
  package var uuids = 0

  /// Values that features outside of the test share.
  package var shared: [SharedName: any Sendable] = [:]

  package init() {}

  /// `00000000-0000-0000-0000-000000000000`, then `…0001` and so on: what tests count with.
  package static let counted: @Sendable (Int) -> UUID = { number in
    let digits = String(UInt64(number), radix: 16, uppercase: true)
    let end = String(repeating: "0", count: 16 - digits.count) + digits
    let text = "00000000-0000-0000-\(end.prefix(4))-\(end.dropFirst(4))"
    guard let id = UUID(uuidString: text) else {
      preconditionFailure("\(text) is not an identifier")
    }
    return id
  }
}
