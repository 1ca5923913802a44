import PenstockCore

extension EffectStart {
  /// `NumberFact {"number":7}`, `.every(1.0 seconds, "tick")`.
  var text: String {
    switch kind {
    case .operation(let name, let input, _, _):
      "\(name) \(String(decoding: input, as: UTF8.self))"
    case .timer(let interval, let isRepeating, let payload):
      """
      .\(isRepeating ? "every" : "after")(\(Duration.microseconds(interval)), \
      \(String(decoding: payload, as: UTF8.self)))
      """
    }
  }
}

extension StartedOperation {
  var text: String { start.text }
}
