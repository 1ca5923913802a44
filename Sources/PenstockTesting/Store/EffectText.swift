import Penstock
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

extension TestRun.Started {
  var text: String { start.text }
}

extension TestRun.Waiting {
  /// Whether the effect is over when this is received.
  func isLast(of effect: TestRun.Living) -> Bool {
    switch kind {
    case .send: false
    case .output(_, let isFinal): isFinal
    case .tick:
      if case .timer(_, isRepeating: false, _) = effect.start.kind { true } else { false }
    case .end: true
    }
  }
}
