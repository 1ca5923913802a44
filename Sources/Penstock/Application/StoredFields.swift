/// The encoded fields of a state that an older version of its feature stored, for `migrate`.
///
/// What `migrate` leaves there is decoded as the present state: fields that it does not know are
/// skipped, and for those that are missing their default is used.
public struct StoredFields: Sendable {
  private var members = OrderedDictionary<String, Bytes>()

  init(_ bytes: Bytes) throws(JSONError) {
    for (name, range) in JSONScan.members(of: bytes) ?? [] { members[name] = Bytes(bytes[range]) }
    if members.isEmpty, !bytes.elementsEqual("{}".utf8) {
      throw JSONError(offset: 0, message: "the stored state has no fields")
    }
  }

  public var names: [String] { Array(members.keys) }

  /// What the field has; nil when there is none of this name.
  /// - Throws: `JSONError` when it is not a value of the type.
  public func value<T: JSONCodable>(_ name: String, as type: T.Type = T.self) throws -> T? {
    try members[name].map { try JSONReader.decode(T.self, from: $0) }
  }

  public mutating func set<T: JSONCodable>(_ name: String, to value: T) {
    members[name] = JSONWriter.bytes(of: value)
  }

  /// Gives the field another name; when there is none of this name, nothing changes.
  public mutating func rename(_ name: String, to newName: String) {
    guard let value = members[name] else { return }
    members[name] = nil
    members[newName] = value
  }

  public mutating func remove(_ name: String) { members[name] = nil }

  var bytes: Bytes {
    var writer = JSONWriter()
    var separator = UInt8(ascii: "{")
    for (name, value) in members {
      writer.byte(separator)
      writer.key(name)
      writer.raw(value)
      separator = UInt8(ascii: ",")
    }
    if members.isEmpty { writer.byte(UInt8(ascii: "{")) }
    writer.byte(UInt8(ascii: "}"))
    return writer.bytes
  }
}

extension ObservableState {
  /// The state that a start makes of one that an older version stored: for tests of `migrate`.
  /// - Parameters:
  ///   - stored: the fields as `penstock state --json` prints them.
  ///   - version: the version that stored them.
  public init(stored: String, version: Int) throws {
    var fields = try StoredFields(Bytes(stored.utf8))
    if version < Self.version { try Self.migrate(&fields, from: version) }
    self = try JSONReader.decode(from: fields.bytes)
  }
}
