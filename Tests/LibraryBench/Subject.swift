import Penstock
import PenstockCore

/// Something that is measured.
struct Subject {
  let name: String
  /// Does it so many times.
  let run: (Int) throws -> Void

  /// Reduces an encoded action at the root's process, as a feature's process does.
  static func reducing<Root: Reducer>(
    _ name: String, _ root: Root, _ state: @escaping @autoclosure @Sendable () -> Root.State,
    at path: String = "/", _ action: String, wantsPatch: Bool = false
  ) throws -> Subject {
    guard let path = Path(path) else { preconditionFailure("\(path) is no path") }
    let application = Application(BenchApp(root, state()))
    let input = StageInput(
      sequence: 1, path: path, payload: Array(action.utf8), now: 1, seed: 1, isQuiet: true,
      wantsPatch: wantsPatch)
    return try reducing(name, application.node(at: .root, placement: []), input)
  }

  private static func reducing<Node: NodeProgram>(
    _ name: String, _ node: Node, _ input: StageInput
  ) throws -> Subject {
    var state = try node.makeInitialState(now: 0, seed: 1)
    let first = try node.reduce(&state, input)
    precondition(first.diagnostics.isEmpty, "\(name) is not handled: \(first.diagnostics)")
    return Subject(name: name) { count in
      for _ in 0..<count { keep(try node.reduce(&state, input)) }
    }
  }
}

/// Makes a value needed.
@inline(never) func keep<Value>(_ value: Value) { withExtendedLifetime(value) {} }
