/// An identifier with one stated text: the name of its element in paths, states and patches (R12).
public protocol CanonicalID: JSONCodable, Hashable {
  var canonicalText: String { get }
  /// nil when the text is not what `canonicalText` gives for any identifier.
  init?(canonicalText: String)
}

extension String: CanonicalID {
  public var canonicalText: String { self }
  public init?(canonicalText: String) { self = canonicalText }
}

extension FixedWidthInteger where Self: CanonicalID {
  public var canonicalText: String { description }
  public init?(canonicalText: String) {
    guard let value = Self(canonicalText), value.description == canonicalText else { return nil }
    self = value
  }
}

extension Int: CanonicalID {}
extension Int32: CanonicalID {}
extension Int64: CanonicalID {}
extension UInt: CanonicalID {}
extension UInt32: CanonicalID {}
extension UInt64: CanonicalID {}

extension CanonicalID where Self: RawRepresentable, RawValue: CanonicalID {
  public var canonicalText: String { rawValue.canonicalText }
  public init?(canonicalText: String) {
    guard let raw = RawValue(canonicalText: canonicalText) else { return nil }
    self.init(rawValue: raw)
  }
}
