public import Penstock

/// A value from its JSON: for what a written test can't say in Swift.
///
/// ```swift
/// await store.send(.targets(.add(try decoded(#"{"url":"http://a"}"#))))
/// ```
public func decoded<Value: JSONCodable>(_ json: String) throws -> Value {
  try JSONReader.decode(from: Array(json.utf8))
}
