import PenstockCore

/// Appends each payload to its state, and sends as often as the payload's first byte times 100 says.
struct LimitProgram: NodeProgram {
  var path: Path { .root }

  func makeInitialState(now: Int64, seed: UInt64) -> Bytes { [] }
  func decode(_ bytes: Bytes) -> Bytes { bytes }
  func encode(_ state: Bytes) -> Bytes { state }
  func encodeOwn(_ state: Bytes) -> Bytes { state }
  func apply(_ patch: Patch, to state: inout Bytes) {}
  func ownDifference(from old: Bytes, to new: Bytes) -> Patch { Patch() }
  func mounts(in state: Bytes) -> [MountChange] { [] }

  func reduce(_ state: inout Bytes, _ input: StageInput) -> Transition {
    state += input.payload
    var transition = Transition()
    let count = Int(input.payload.first ?? 0) * 100
    transition.sends = Array(repeating: Send(path: .root, payload: []), count: count)
    return transition
  }
}
