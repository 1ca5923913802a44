/// Payloads that start effects instead of being actions (S-12). Only a timer of a feature has one.
package enum ReservedPayload {
  package static let prefix: Bytes = Array("{\"$start\":".utf8)

  package static func isReserved(_ payload: Bytes) -> Bool { payload.starts(with: prefix) }
}
