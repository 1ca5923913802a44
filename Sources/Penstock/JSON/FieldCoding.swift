internal import FoundationEssentials

/// What the macros call for each stored field. A type that is `Codable` alone takes the slow way.
public enum FieldCoding {
  @inlinable
  public static func encode<T: JSONCodable>(_ value: T, to writer: inout JSONWriter) {
    value.encode(to: &writer)
  }

  @inlinable
  public static func decode<T: JSONCodable>(
    _ type: T.Type, from reader: inout JSONReader
  ) throws(JSONError) -> T { try T(from: &reader) }

  @inlinable
  public static func decode<T: JSONCodable>(
    into value: inout T, from reader: inout JSONReader
  ) throws(JSONError) { value = try T(from: &reader) }

  @inlinable
  public static func difference<T: JSONCodable>(
    _ name: String, from old: T, to new: T, into patch: inout PatchBuilder
  ) { patch.member(name, old, new) }

  @inlinable
  public static func apply<T: JSONCodable>(
    _ change: PatchOperation.Change, at path: ArraySlice<String>, to value: inout T
  ) throws(JSONError) { try value.apply(change, at: path) }

  public static func shape<T: JSONCodable>(_ type: T.Type, into shape: inout JSONShape) {
    shape.append(type)
  }

  public static func shape<Root, T: JSONCodable>(
    of field: KeyPath<Root, T>, into shape: inout JSONShape
  ) { shape.append(T.self) }
}

extension FieldCoding {
  /// A local of the field's type, as long as the field was not read.
  @inlinable
  public static func missing<Root, T>(_ field: KeyPath<Root, T>) -> T? { nil }

  @inlinable
  public static func decode<Root, T: JSONCodable>(
    _ field: KeyPath<Root, T>, from reader: inout JSONReader
  ) throws(JSONError) -> T { try T(from: &reader) }

  @_disfavoredOverload
  public static func decode<Root, T: Decodable>(
    _ field: KeyPath<Root, T>, from reader: inout JSONReader
  ) throws(JSONError) -> T { try decode(T.self, from: &reader) }
}

/// The slow way, through Foundation's coder with sorted keys.
extension FieldCoding {
  @_disfavoredOverload
  public static func encode<T: Encodable>(_ value: T, to writer: inout JSONWriter) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      writer.raw(try encoder.encode(value))
    } catch {
      fatalError("\(T.self) can't be encoded as JSON: \(error)")
    }
  }

  @_disfavoredOverload
  public static func decode<T: Decodable>(
    _ type: T.Type, from reader: inout JSONReader
  ) throws(JSONError) -> T {
    let range = try reader.readRaw()
    do {
      return try JSONDecoder().decode(type, from: Data(reader.bytes[range]))
    } catch {
      throw JSONError(offset: range.lowerBound, message: "Not a \(T.self): \(error)")
    }
  }

  @_disfavoredOverload
  public static func decode<T: Decodable>(
    into value: inout T, from reader: inout JSONReader
  ) throws(JSONError) { value = try decode(T.self, from: &reader) }

  @_disfavoredOverload
  public static func difference<T: Encodable & Equatable>(
    _ name: String, from old: T, to new: T, into patch: inout PatchBuilder
  ) {
    if old == new { return }
    var writer = JSONWriter()
    encode(new, to: &writer)
    patch.member(name, .set(writer.bytes))
  }

  @_disfavoredOverload
  public static func apply<T: Decodable>(
    _ change: PatchOperation.Change, at path: ArraySlice<String>, to value: inout T
  ) throws(JSONError) {
    guard path.isEmpty, case .set(let bytes) = change else {
      throw JSONError(offset: 0, message: "\(T.self) can only be set as a whole")
    }
    var reader = JSONReader(bytes)
    value = try decode(T.self, from: &reader)
    try reader.finish()
  }

  @_disfavoredOverload
  public static func shape<T>(_ type: T.Type, into shape: inout JSONShape) {
    shape.appendSlow("\(type)")
  }

  @_disfavoredOverload
  public static func shape<Root, T>(of field: KeyPath<Root, T>, into shape: inout JSONShape) {
    shape.appendSlow("\(T.self)")
  }
}
