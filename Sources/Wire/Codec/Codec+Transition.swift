package import PenstockCore

/// Patches and transitions.
extension Codec {
  package static func encode(_ patch: Patch, _ writer: inout ByteWriter) throws(WireError) {
    try writer.count(patch.operations.count, limit: Limits.patchOperations, "patch operations")
    for operation in patch.operations {
      guard operation.path.count <= Limits.patchDepth else {
        throw .tooLarge("patch path", operation.path.count, limit: Limits.patchDepth)
      }
      writer.u8(UInt8(operation.path.count))
      for name in operation.path { try writer.name(name, "member") }
      switch operation.change {
      case .set(let value):
        writer.u8(1)
        try writer.block(value, limit: Limits.state, "value")
      case .insert(let value, let index):
        writer.u8(2)
        try encode(index: index, &writer)
        try writer.block(value, limit: Limits.state, "value")
      case .remove: writer.u8(3)
      case .move(let index):
        writer.u8(4)
        try encode(index: index, &writer)
      }
    }
  }

  private static func encode(index: Int, _ writer: inout ByteWriter) throws(WireError) {
    guard let number = UInt32(exactly: index) else {
      throw .malformed("patch: \(index) is not an index.")
    }
    writer.u32(number)
  }

  package static func decodePatch(_ body: inout ByteReader) throws(WireError) -> Patch {
    let count = try body.count(limit: Limits.patchOperations, size: 2, "patch operations")
    var patch = Patch()
    if count == 0 { return patch }
    patch.operations.reserveCapacity(min(count, 4_096))
    for _ in 0..<count {
      let depth = Int(try body.u8())
      guard depth <= Limits.patchDepth else {
        throw .tooLarge("patch path", depth, limit: Limits.patchDepth)
      }
      var path: [String] = []
      path.reserveCapacity(depth)
      for _ in 0..<depth { path.append(try body.name("member")) }
      let change: PatchOperation.Change
      switch try body.u8() {
      case 1: change = .set(try body.block(limit: Limits.state, "value"))
      case 2:
        let index = Int(try body.u32())
        change = .insert(try body.block(limit: Limits.state, "value"), at: index)
      case 3: change = .remove
      case 4: change = .move(to: Int(try body.u32()))
      case let other: throw .malformed("patch: change \(other) is unknown.")
      }
      patch.operations.append(PatchOperation(path: path, change: change))
    }
    return patch
  }

  package static func encode(_ transition: Transition, _ writer: inout ByteWriter)
    throws(WireError)
  {
    try encode(transition.patch, &writer)
    // Most actions do no more than change the state.
    if transition.hasOnlyPatch { return writer.zeros(16) }
    try encode(transition.mounts, &writer)
    try writer.count(transition.sends.count, limit: Limits.sendsPerTransition, "sends")
    for send in transition.sends {
      try writer.path(send.path)
      try writer.block(send.payload, limit: Limits.payload, "send")
    }
    try writer.count(transition.effects.count, limit: Limits.effectsPerTransition, "effects")
    for command in transition.effects { try encode(command, &writer) }
    let diagnostics = transition.diagnostics.prefix(Limits.diagnosticsPerTransition)
    writer.u32(UInt32(diagnostics.count))
    for diagnostic in diagnostics { writer.text(diagnostic) }
  }

  package static func decodeTransition(_ body: inout ByteReader) throws(WireError) -> Transition {
    var transition = Transition()
    transition.patch = try decodePatch(&body)
    if body.skipZeros(16) { return transition }
    transition.mounts = try decodeMounts(&body)
    for _ in 0..<(try body.count(limit: Limits.sendsPerTransition, size: 6, "sends")) {
      let path = try body.path()
      transition.sends.append(
        Send(path: path, payload: try body.block(limit: Limits.payload, "send")))
    }
    for _ in 0..<(try body.count(limit: Limits.effectsPerTransition, size: 7, "effects")) {
      transition.effects.append(try decodeCommand(&body))
    }
    let diagnostics = try body.count(
      limit: Limits.diagnosticsPerTransition, size: 2, "diagnostics")
    for _ in 0..<diagnostics { transition.diagnostics.append(try body.text()) }
    return transition
  }

  static func encode(_ mounts: [MountChange], _ writer: inout ByteWriter) throws(WireError) {
    try writer.count(mounts.count, limit: Limits.mountsPerTransition, "mounts")
    for mount in mounts {
      try writer.path(mount.path)
      try encode(mount.before, &writer)
      try encode(mount.after, &writer)
    }
  }

  static func decodeMounts(_ body: inout ByteReader) throws(WireError) -> [MountChange] {
    var mounts: [MountChange] = []
    for _ in 0..<(try body.count(limit: Limits.mountsPerTransition, size: 4, "mounts")) {
      let path = try body.path()
      let before = try decodeIdentity(&body)
      mounts.append(MountChange(path: path, before: before, after: try decodeIdentity(&body)))
    }
    return mounts
  }

  private static func encode(_ identity: String?, _ writer: inout ByteWriter) throws(WireError) {
    writer.flag(identity != nil)
    if let identity { try writer.name(identity, "identity") }
  }

  private static func decodeIdentity(_ body: inout ByteReader) throws(WireError) -> String? {
    try body.flag("identity") ? try body.name("identity") : nil
  }

  private static func encode(_ command: EffectCommand, _ writer: inout ByteWriter)
    throws(WireError)
  {
    switch command {
    case .start(let start):
      writer.u8(1)
      try encode(start, &writer)
    case .cancel(let path, let id):
      writer.u8(2)
      try writer.path(path)
      try encode(id, &writer)
    }
  }

  private static func decodeCommand(_ body: inout ByteReader) throws(WireError) -> EffectCommand {
    switch try body.u8() {
    case 1: return .start(try decodeEffectStart(&body))
    case 2:
      let path = try body.path()
      return .cancel(path: path, id: try decodeCancelID(&body))
    case let other: throw .malformed("effect command \(other) is unknown.")
    }
  }

  package static func encode(_ start: EffectStart, _ writer: inout ByteWriter)
    throws(WireError)
  {
    try writer.path(start.path)
    try writer.count(start.cancelIDs.count, limit: Limits.cancelIDs, "cancel ids")
    for id in start.cancelIDs { try encode(id, &writer) }
    switch start.kind {
    case .operation(let name, let input, let output, let policy):
      writer.u8(1)
      try writer.name(name, "operation")
      try writer.block(input, limit: Limits.payload, "input")
      try writer.count(output.cases.count, limit: Limits.outputCases, "output cases")
      for name in output.cases { try writer.name(name, "case") }
      writer.flag(output.isOutcome)
      try encode(policy, &writer)
    case .timer(let interval, let isRepeating, let payload):
      writer.u8(2)
      try writer.span(interval)
      writer.flag(isRepeating)
      try writer.block(payload, limit: Limits.payload, "payload")
    }
  }

  package static func decodeEffectStart(_ body: inout ByteReader) throws(WireError)
    -> EffectStart
  {
    let path = try body.path()
    var ids: [CancelID] = []
    for _ in 0..<(try body.count(limit: Limits.cancelIDs, size: 4, "cancel ids")) {
      ids.append(try decodeCancelID(&body))
    }
    switch try body.u8() {
    case 1:
      let name = try body.name("operation")
      let input = try body.block(limit: Limits.payload, "input")
      var cases: [String] = []
      for _ in 0..<(try body.count(limit: Limits.outputCases, size: 2, "output cases")) {
        cases.append(try body.name("case"))
      }
      let output = OutputCase(cases: cases, isOutcome: try body.flag("outcome"))
      return EffectStart(
        path: path,
        kind: .operation(
          name: name, input: input, output: output, policy: try decodePolicy(&body)),
        cancelIDs: ids)
    case 2:
      let interval = try body.span()
      let isRepeating = try body.flag("repeating")
      return EffectStart(
        path: path,
        kind: .timer(
          interval: interval, isRepeating: isRepeating,
          payload: try body.block(limit: Limits.payload, "payload")), cancelIDs: ids)
    case let other: throw .malformed("effect kind \(other) is unknown.")
    }
  }

  private static func encode(_ id: CancelID, _ writer: inout ByteWriter) throws(WireError) {
    try writer.name(id.name, "cancel id")
    try writer.name(id.value, "cancel id")
  }

  private static func decodeCancelID(_ body: inout ByteReader) throws(WireError) -> CancelID {
    let name = try body.name("cancel id")
    return CancelID(name: name, value: try body.name("cancel id"))
  }
}
