import PenstockCore
import Wire

extension Message {
  /// One line for a trace.
  var summary: String {
    switch self {
    case .hello(let hello): "hello \(hello.role) \(hello.name)"
    case .welcome: "welcome"
    case .submit(let submit):
      "submit \(submit.clientSequence) \(submit.path) \(submit.payload.text)"
    case .outcome(let outcome): "outcome \(outcome.clientSequence) \(outcome.status)"
    case .state(let state):
      switch state.body {
      case .snapshot(let bytes): "state \(state.asOf) \((bytes ?? []).text)"
      case .changes(let from, let patch): "state \(state.asOf) from \(from) \(patch.text)"
      }
    case .reset(let sequence, let epoch, let state):
      "reset \(sequence) e\(epoch.squash) \((state ?? []).text)"
    case .mount(let sequence, let epoch, let state):
      "mount \(sequence) e\(epoch.squash) \(state.text)"
    case .unmount(let sequence, let epoch): "unmount \(sequence) e\(epoch.squash)"
    case .patch(let sequence, let epoch, let patch):
      "patch \(sequence) e\(epoch.squash) \(patch.text)"
    case .work(let work):
      "work \(work.sequence) e\(work.epoch.squash) \(work.path) \((work.payload ?? []).text)"
        + (work.isReplay ? " replay" : "")
    case .answer(let answer):
      switch answer.result {
      case .undecodable(let reason): "answer \(answer.sequence) undecodable \(reason)"
      case .tooLarge(let reason): "answer \(answer.sequence) too large: \(reason)"
      case .reduced(let transition):
        "answer \(answer.sequence) e\(answer.epoch.squash) \(transition.patch.text)"
          + " mounts \(transition.mounts.map { "\($0.path):\($0.after ?? "nil")" })"
          + " sends \(transition.sends.count) effects \(transition.effects.count)"
      }
    case .marker(let marker):
      "marker \(marker.id) at \(marker.sequence) since \(marker.since ?? 0)"
    case .markerAnswer(let answer):
      switch answer.body {
      case .snapshot(let bytes):
        "marker answer \(answer.id) at \(answer.sequence) \((bytes ?? []).text)"
      case .changes(_, let patch):
        "marker answer \(answer.id) at \(answer.sequence) \(patch.text)"
      }
    case .squash(let epoch, let sequence): "squash e\(epoch.squash) to \(sequence)"
    default: String("\(self)".prefix(160))
    }
  }
}

extension Bytes {
  var text: String { String(decoding: self, as: UTF8.self) }
}

extension Patch {
  var text: String {
    operations.map { operation in
      let change =
        switch operation.change {
        case .set(let bytes): "=\(bytes.text)"
        case .insert(let bytes, let index): "+\(index) \(bytes.text)"
        case .remove: "-"
        case .move(let index): ">\(index)"
        }
      return operation.path.joined(separator: ".") + change
    }.description
  }
}
