/// Payloads that start effects instead of being actions (S-12). Only a timer of a feature has one, and
/// what starts a failed effect again.
package enum ReservedPayload {
  package static let prefix: Bytes = Array("{\"$start\":".utf8)

  package static func isReserved(_ payload: Bytes) -> Bool { payload.starts(with: prefix) }

  package static func starting(sends: [Send] = [], _ effects: [EffectCommand]) -> Bytes {
    var writer = JSONWriter()
    writer.raw("{\"$start\":{\"sends\":[")
    for (index, send) in sends.enumerated() {
      if index > 0 { writer.raw(",") }
      writer.raw("{\"path\":")
      writer.string(send.path.description)
      writer.raw(",\"payload\":")
      writer.raw(send.payload)
      writer.raw("}")
    }
    writer.raw("],\"effects\":[")
    for (index, command) in effects.enumerated() {
      if index > 0 { writer.raw(",") }
      command.encode(to: &writer)
    }
    writer.raw("]}}")
    return writer.bytes
  }
}
