package import PenstockCore

extension JSONScan {
  /// The encoded state at a place, nil when it is null or not there (another case, a missing field).
  package static func state(at path: [String], in bytes: Bytes) -> Bytes? {
    guard let range = value(at: path, in: bytes) else { return nil }
    let state = Array(bytes[range])
    return state == Array("null".utf8) ? nil : state
  }

  /// An element id as a path's component: a string's content, any other scalar as it is written.
  static func plainText(of bytes: Bytes, range: Range<Int>) -> String {
    var reader = JSONReader(bytes, range: range)
    if let text = try? String(from: &reader) { return text }
    return String(decoding: bytes[range], as: UTF8.self)
  }
}
