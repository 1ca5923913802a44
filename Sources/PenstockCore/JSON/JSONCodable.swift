/// A value that writes itself as JSON with a fixed order of members, and tells its changes as patches.
///
/// `@ObservableState`, `@CasePathable`, `@JSONCodable` and `@Operation` write the conformance.
/// A struct is an object of its stored fields in the order of their declaration. A case without
/// payload is `"name"`, with one unlabelled value `{"name":VALUE}`, with several or labelled ones
/// `{"name":{"label":VALUE,"_1":VALUE}}`. Decoding accepts members in any order, skips unknown
/// ones, and uses the declared default for a missing one.
public protocol JSONCodable: Equatable, Sendable {
  func encode(to writer: inout JSONWriter)
  init(from reader: inout JSONReader) throws(JSONError)

  /// Appends what turns `old` into `new`; called only when they differ.
  static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder)
  /// Applies one change of a patch; `path` is what is left of the operation's path.
  mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError)

  /// Describes the encoding for the schema's hash.
  static func shape(into shape: inout JSONShape)
  /// Whether some value is encoded as `null`, so that an optional of it needs a wrapping.
  static var canBeNull: Bool { get }
}

extension JSONCodable {
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.set(new)
  }

  public mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    try replace(by: change, at: path)
  }

  /// Applies a change of the whole value; anything else is an error.
  public mutating func replace(
    by change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    guard path.isEmpty, case .set(let bytes) = change else {
      throw JSONError(
        offset: 0, message: "\(Self.self) has no member \(path.first.map { "“\($0)”" } ?? "there")")
    }
    self = try JSONReader.decode(from: bytes)
  }

  public static var canBeNull: Bool { false }
}
