import PenstockCore
import Synchronization

/// A node whose state is the list of what was reduced, and that knows how many different states live.
struct SequencesProgram: NodeProgram {
  final class Census: Sendable {
    let living = Atomic(0)
  }

  /// Lives as long as some copy of the state that it was made for.
  final class Token: Sendable {
    private let census: Census

    init(_ census: Census) {
      self.census = census
      census.living.add(1, ordering: .relaxed)
    }

    deinit { census.living.subtract(1, ordering: .relaxed) }
  }

  struct State: Sendable {
    var sequences: [UInt64]
    var token: Token
  }

  let census = Census()
  let path = Path.root

  var living: Int { census.living.load(ordering: .relaxed) }

  func makeInitialState(now: Int64, seed: UInt64) -> State {
    State(sequences: [], token: Token(census))
  }

  func decode(_ bytes: Bytes) throws(UndecodableError) -> State {
    do {
      return State(sequences: try JSONReader.decode(from: bytes), token: Token(census))
    } catch {
      throw UndecodableError("\(error)")
    }
  }

  func encode(_ state: State) -> Bytes { JSONWriter.bytes(of: state.sequences) }
  func encodeOwn(_ state: State) -> Bytes { encode(state) }

  func apply(_ patch: Patch, to state: inout State) throws(UndecodableError) {
    throw UndecodableError("this state takes no patch")
  }

  func ownDifference(from old: State, to new: State) -> Patch { Patch() }
  func mounts(in state: State) -> [MountChange] { [] }

  func reduce(_ state: inout State, _ input: StageInput) -> Transition {
    state.sequences.append(input.sequence)
    state.token = Token(census)
    return Transition()
  }
}
