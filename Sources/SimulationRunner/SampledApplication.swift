package import PenstockCore
package import Simulation

/// An application under simulation by what it may be given: actions and operations' outputs are drawn
/// from lists.
package struct SampledApplication: SimulatedApplication {
  package struct Action: Sendable {
    package var path: Path
    package var payload: Bytes

    package init(path: Path, payload: Bytes) {
      self.path = path
      self.payload = payload
    }
  }

  package let program: any ApplicationProgram
  package let placements: [[Path]]
  private let actions: [Action]
  private let outputs: [String: [Bytes]]
  /// Operations with one output, which ends them.
  private let single: Set<String>

  /// - Precondition: there are actions.
  package init(
    program: any ApplicationProgram, actions: [Action], outputs: [String: [Bytes]],
    single: Set<String>
  ) {
    precondition(!actions.isEmpty, "without actions nothing happens")
    self.program = program
    self.actions = actions
    self.outputs = outputs
    self.single = single
    placements = Self.placements(of: program.description)
  }

  /// All in one process, each scope in its own, each one of them alone, and all but one.
  private static func placements(of description: ApplicationDescription) -> [[Path]] {
    let scopes = description.levels.filter { $0.placementObstacle == nil && !$0.path.isRoot }
      .map(\.path)
    if scopes.isEmpty { return [[.root]] }
    var placements = [[.root], [.root] + scopes]
    for scope in scopes.prefix(32) where scopes.count > 1 {
      placements.append([.root, scope])
      placements.append([.root] + scopes.filter { $0 != scope })
    }
    return placements
  }

  package func action(using generator: inout SeededGenerator) -> (path: Path, payload: Bytes) {
    let action = actions[Int.random(in: actions.indices, using: &generator)]
    return (action.path, action.payload)
  }

  package func outcome(
    of operation: String, input: Bytes, using generator: inout SeededGenerator
  ) -> SimulatedOutcome {
    let isSingle = single.contains(operation)
    guard let samples = outputs[operation], !samples.isEmpty,
      Int.random(in: 0..<100, using: &generator) >= 15
    else { return SimulatedOutcome(outputs: [], fails: true, isSingle: isSingle) }
    let count = isSingle ? 1 : Int.random(in: 1...4, using: &generator)
    return SimulatedOutcome(
      outputs: (0..<count).map { _ in
        samples[Int.random(in: samples.indices, using: &generator)]
      }, isSingle: isSingle)
  }

  /// A list of recorded actions: one a line, with `path` and `payload`. Lines with neither say
  /// something about the list.
  /// - Throws: `UnreadableLine` for what is neither.
  package static func actions(in list: Bytes) throws(UnreadableLine) -> [Action] {
    var actions: [Action] = []
    for (index, line) in list.split(separator: UInt8(ascii: "\n")).enumerated() {
      let line = Bytes(line)
      guard let payload = JSONScan.value(at: ["payload"], in: line) else {
        if index == 0 || line.allSatisfy({ $0 == 32 || $0 == 13 }) { continue }
        throw UnreadableLine(number: index + 1, message: "it has no payload")
      }
      guard let range = JSONScan.value(at: ["path"], in: line),
        let text = try? JSONReader.decode(String.self, from: Bytes(line[range])),
        let path = Path(text)
      else { throw UnreadableLine(number: index + 1, message: "it has no path such as /targets") }
      actions.append(Action(path: path, payload: Bytes(line[payload])))
    }
    return actions
  }

  package struct UnreadableLine: Error, Hashable, Sendable {
    package var number: Int
    package var message: String
  }
}
