package import PenstockCore

extension JSONScan {
  /// The encoded state at a place, nil when it is null or not there (another case, a missing field).
  package static func state(at path: [String], in bytes: Bytes) -> Bytes? {
    guard let range = value(at: path, in: bytes) else { return nil }
    let state = Array(bytes[range])
    return state == Array("null".utf8) ? nil : state
  }
}
