import Penstock

/// Runs placed nodes one record after the other, with none of the router's cleverness: the merged
/// state is a document to which patches apply, and every node's state is read from it anew.
struct LockStep {
  let description: ApplicationDescription
  private let nodes: [PlacedNode]
  private(set) var merged: JSONDocument
  private(set) var mounts: [Path: (id: String, generation: Generation)] = [:]
  private(set) var living: [EffectID: EffectStart] = [:]

  init(_ program: any ApplicationProgram, placement: [Path], initial record: OrderRecord) throws {
    description = program.description
    nodes = try placement.sorted().reversed().map {
      PlacedNode(
        try program.node(at: $0, placement: placement),
        statePath: program.description.level(addressed: $0)?.statePath ?? [])
    }
    merged = try JSONDocument(record.payload)
    let root = nodes[nodes.count - 1]
    let initial = try root.initial(record)
    precondition(initial.state == record.payload)
    retire(initial.mounts, record)
  }

  mutating func apply(_ record: OrderRecord) throws -> [Send] {
    var sends: [Send] = []
    var changes: [MountChange] = []
    var counts: [Path: UInt32] = [:]
    let missing = record.path.ancestors.first { isDynamic($0) && mounts[$0] == nil }
    switch record.origin {
    case .output(let effect, _, isFinal: true), .end(let effect): living[effect] = nil
    case .timer(let effect, _):
      if case .timer(_, false, _)? = living[effect]?.kind { living[effect] = nil }
    default: break
    }
    if case .end = record.origin { return [] }
    let shared = sharedValues()
    // Lowest first: a path sorts after its ancestors'.
    for node in nodes where node.path.contains(record.path) {
      if let missing, missing.contains(node.path) { continue }
      guard let state = merged.subtree(at: node.statePath) else { continue }
      let result = try node.reduce(state, record, shared)
      sends += result.transition.sends
      changes += result.transition.mounts
      for command in result.transition.effects { apply(command, record, &counts) }
      try merged.apply(result.transition.patch.lifted(by: node.statePath))
      // Patches lead to the very state that the reducers made.
      guard merged.subtree(at: node.statePath) == result.state else {
        throw Mismatch(what: "the patch of \(node.path) at \(record.sequence)")
      }
      // What is written to placed children is told even if nobody wants the rest.
      try node.checkWrites(state, record, shared, result.transition.patch)
    }
    retire(changes, record)
    return sends
  }

  /// All that anybody reads, as of the record before (R15).
  private func sharedValues() -> [SharedReading] {
    Set(description.levels.flatMap(\.reads)).compactMap { name in
      description.level(addressed: name.path).flatMap {
        merged.subtree(at: $0.statePath + [name.field])
      }.map { SharedReading(name: name, value: $0) }
    }
  }

  private mutating func apply(
    _ command: EffectCommand, _ record: OrderRecord, _ counts: inout [Path: UInt32]
  ) {
    switch command {
    case .start(let start):
      let index = counts[start.path, default: 0]
      counts[start.path] = index + 1
      living[EffectID(sequence: record.sequence, path: start.path, index: index)] = start
    case .cancel(let path, let id):
      living = living.filter { !(path.contains($0.key.path) && $0.value.cancelIDs.contains(id)) }
    }
  }

  private mutating func retire(_ changes: [MountChange], _ record: OrderRecord) {
    var order: [Path] = []
    var after: [Path: String?] = [:]
    for change in changes {
      if after.updateValue(change.after, forKey: change.path) == nil { order.append(change.path) }
    }
    let changed = order.filter { mounts[$0]?.id != after[$0] ?? nil }
    var ordinal: UInt32 = 0
    for path in order where changed.contains(where: { $0.contains(path) }) {
      if mounts.removeValue(forKey: path) != nil {
        living = living.filter { !path.contains($0.key.path) }
      }
      guard let id = after[path] ?? nil else { continue }
      mounts[path] = (id, Generation(sequence: record.sequence, ordinal: ordinal))
      ordinal += 1
    }
  }

  private func isDynamic(_ path: Path) -> Bool {
    guard let level = description.level(addressed: path) else { return false }
    return level.kind != .scope && level.kind != .root
  }
}

struct Mismatch: Error { var what: String }

/// A node with the type of its state erased.
struct PlacedNode {
  let path: Path
  let statePath: [String]
  let initial: (OrderRecord) throws -> (state: Bytes, mounts: [MountChange])
  let reduce: (Bytes, OrderRecord, [SharedReading]) throws -> (state: Bytes, transition: Transition)
  let checkWrites: (Bytes, OrderRecord, [SharedReading], Patch) throws -> Void

  init(_ program: any NodeProgram, statePath: [String]) {
    self = PlacedNode.make(program, statePath)
  }

  private init(
    path: Path, statePath: [String],
    initial: @escaping (OrderRecord) throws -> (state: Bytes, mounts: [MountChange]),
    reduce:
      @escaping (Bytes, OrderRecord, [SharedReading]) throws -> (
        state: Bytes, transition: Transition
      ),
    checkWrites: @escaping (Bytes, OrderRecord, [SharedReading], Patch) throws -> Void
  ) {
    self.path = path
    self.statePath = statePath
    self.initial = initial
    self.reduce = reduce
    self.checkWrites = checkWrites
  }

  private static func make<Program: NodeProgram>(
    _ program: Program, _ statePath: [String]
  ) -> PlacedNode {
    func input(
      _ record: OrderRecord, _ shared: [SharedReading], wantsPatch: Bool = true
    ) -> StageInput {
      StageInput(
        sequence: record.sequence, path: record.path, payload: record.payload, now: record.now,
        seed: record.seed, isQuiet: true, wantsPatch: wantsPatch, shared: shared)
    }
    return PlacedNode(
      path: program.path, statePath: statePath,
      initial: { record in
        let state = try program.makeInitialState(now: record.now, seed: record.seed)
        return (program.encode(state), program.mounts(in: state))
      },
      reduce: { bytes, record, shared in
        var state = try program.decode(bytes)
        let before = state
        let transition = try program.reduce(&state, input(record, shared))
        // A lagging base gets there by its own difference and the children's.
        var own = try JSONDocument(program.encodeOwn(before))
        try own.apply(program.ownDifference(from: before, to: state))
        guard own.encode() == program.encodeOwn(state) else {
          throw Mismatch(what: "the own difference of \(program.path) at \(record.sequence)")
        }
        var patched = before
        try program.apply(transition.patch, to: &patched)
        guard program.encode(patched) == program.encode(state) else {
          throw Mismatch(what: "the typed patch of \(program.path) at \(record.sequence)")
        }
        return (program.encode(state), transition)
      },
      checkWrites: { bytes, record, shared, patch in
        var state = try program.decode(bytes)
        let lean = try program.reduce(&state, input(record, shared, wantsPatch: false))
        guard lean.patch.operations.allSatisfy({ patch.operations.contains($0) }) else {
          throw Mismatch(what: "the writes of \(program.path) at \(record.sequence)")
        }
      })
  }
}

extension Path {
  /// The path and what is above it, from the root.
  var ancestors: [Path] { (parent?.ancestors ?? []) + [self] }
}
