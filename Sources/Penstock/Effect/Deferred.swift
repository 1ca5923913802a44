/// Effects with complete addresses, as the payload of a timer that starts them, or of a retry.
///
/// Such a record is no action: the node of its path starts the effects, and no logic runs. To the
/// router it is an opaque payload like any other.
struct Deferred: EffectRecorder, Equatable {
  var sends: [Send] = []
  var effects: [EffectCommand] = []
  var diagnostics: [String] = []
  var dismissal: Send?

  /// Whether a payload starts effects instead of being an action.
  static func isDeferred(_ payload: Bytes) -> Bool { ReservedPayload.isReserved(payload) }

  init(dismissal: Send?) { self.dismissal = dismissal }

  var payload: Bytes { ReservedPayload.starting(sends: sends, effects) }

  init(payload: Bytes) throws(UndecodableError) {
    self.init(dismissal: nil)
    do {
      var reader = JSONReader(payload)
      guard try reader.beginCase(), reader.isKey("$start") else {
        throw reader.error("Expected {\"$start\":…}")
      }
      try reader.beginObject()
      while try reader.nextMember() {
        let isSend = reader.isKey("sends")
        try reader.beginArray()
        while try reader.nextElement() {
          if isSend {
            sends.append(try Send(from: &reader))
          } else {
            effects.append(try EffectCommand(from: &reader))
          }
        }
      }
      try reader.endCase()
      try reader.finish()
    } catch {
      throw UndecodableError("What a timer is to start can't be read: \(error)")
    }
  }
}
