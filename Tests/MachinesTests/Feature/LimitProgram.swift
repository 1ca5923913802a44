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

/// Its state counts actions; the difference of any two is arrays in arrays below some names.
struct NestingProgram: NodeProgram {
  var path: Path { .root }
  var unboundedDepth: Int?
  var names: Int
  var nesting: Int

  func makeInitialState(now: Int64, seed: UInt64) -> Int { 0 }
  func decode(_ bytes: Bytes) -> Int { 0 }
  func encode(_ state: Int) -> Bytes { Array("\(state)".utf8) }
  func encodeOwn(_ state: Int) -> Bytes { encode(state) }
  func apply(_ patch: Patch, to state: inout Int) {}
  func mounts(in state: Int) -> [MountChange] { [] }

  func ownDifference(from old: Int, to new: Int) -> Patch {
    let value = String(repeating: "[", count: nesting) + String(repeating: "]", count: nesting)
    return Patch([
      PatchOperation(
        path: Array(repeating: "a", count: names), change: .set(Array(value.utf8)))
    ])
  }

  func reduce(_ state: inout Int, _ input: StageInput) -> Transition {
    state += 1
    return Transition()
  }
}
