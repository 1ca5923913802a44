internal import Synchronization

/// What a transition may read besides state and action (R13): functions of the record's seed and
/// time, the level's path, and how many draws that level has made before.
package final class TransitionInputs: Sendable {
  @TaskLocal static var current: TransitionInputs?

  let now: Int64
  let seed: UInt64
  let isQuiet: Bool
  /// Only a test has some.
  let replacements: InputReplacements?
  /// What the levels that run read of other features, as of the record before (R15).
  let shared: [SharedName: any Sendable]
  /// What a transition drew, to be drawn once more in the same order, at whatever level.
  private let draws: [UInt64]
  private let recordsDraws: Bool
  private let position = Mutex(Position(path: .root, draws: 0))

  private struct Position: Sendable {
    var path: Path
    var draws: UInt64
    var uuids = 0
    var isPresented = false
    /// How many of the given draws were taken.
    var taken = 0
    var drawn: [UInt64] = []
  }

  package init(
    now: Int64, seed: UInt64, isQuiet: Bool, replacements: InputReplacements? = nil,
    shared: [SharedName: any Sendable] = [:], recordsDraws: Bool = false, draws: [UInt64] = []
  ) {
    self.shared = shared
    self.recordsDraws = recordsDraws
    self.draws = draws
    self.now = now
    self.seed = seed
    self.isQuiet = isQuiet
    self.replacements = replacements
  }

  /// The next draws are those of this level.
  func enter(_ path: Path, isPresented: Bool = false) {
    position.withLock { position in
      position.path = path
      position.draws = 0
      position.isPresented = isPresented
    }
  }

  /// What was drawn, at all levels in their order.
  var drawn: [UInt64] { position.withLock(\.drawn) }

  /// How many identifiers were made in the last run, at all levels.
  package var uuids: Int { position.withLock(\.uuids) }

  /// The index of the next identifier over the whole test.
  func nextUUID(after first: Int) -> Int {
    position.withLock { position in
      position.uuids += 1
      return first + position.uuids - 1
    }
  }

  var path: Path { position.withLock(\.path) }
  var isPresented: Bool { position.withLock(\.isPresented) }

  func draw() -> UInt64 {
    position.withLock { position in
      if position.taken < draws.count {
        position.taken += 1
        return draws[position.taken - 1]
      }
      let value = mix(mix(seed ^ JSONShape.hash(position.path.description.utf8)) &+ position.draws)
      position.draws += 1
      if recordsDraws { position.drawn.append(value) }
      return value
    }
  }

  /// Runs reducers with these inputs.
  package func run<Result, E: Error>(_ body: () throws(E) -> Result) throws(E) -> Result {
    if replacements != nil || !draws.isEmpty {
      position.withLock { position in
        position.uuids = 0
        position.taken = 0
      }
    }
    do {
      return try TransitionInputs.$current.withValue(self, operation: body)
    } catch let error as E {
      throw error
    } catch {
      fatalError("Only errors of the body leave it: \(error)")
    }
  }

  static var required: TransitionInputs {
    guard let current else {
      preconditionFailure("@Dependency is read outside of a reducer's transition")
    }
    return current
  }
}

/// The finaliser of SplitMix64 after its increment.
private func mix(_ value: UInt64) -> UInt64 {
  var z = value &+ 0x9e37_79b9_7f4a_7c15
  z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
  z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
  return z ^ (z >> 31)
}
