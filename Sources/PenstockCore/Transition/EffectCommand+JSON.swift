extension Send {
  package init(from reader: inout JSONReader) throws(JSONError) {
    var path: Path?
    var payload: Bytes = []
    try reader.beginObject()
    while try reader.nextMember() {
      if reader.isKey("path") {
        path = Path(try reader.readString())
      } else if reader.isKey("payload") {
        payload = Bytes(reader.bytes[try reader.readRaw()])
      } else {
        try reader.skipValue()
      }
    }
    guard let path else { throw reader.error("A send needs a path") }
    self.init(path: path, payload: payload)
  }
}

/// `{"cancel":…}`, `{"operation":…}` or `{"timer":…}`, with complete addresses.
extension EffectCommand {
  package func encode(to writer: inout JSONWriter) {
    let ids: [CancelID]
    switch self {
    case .cancel(let path, let id):
      writer.raw("{\"cancel\":{\"path\":")
      writer.string(path.description)
      ids = [id]
    case .start(let start):
      switch start.kind {
      case .operation(let name, let input, let output, let policy):
        writer.raw("{\"operation\":{\"path\":")
        writer.string(start.path.description)
        writer.raw(",\"name\":")
        writer.string(name)
        writer.raw(",\"cases\":")
        output.cases.encode(to: &writer)
        writer.raw(",\"isOutcome\":")
        writer.bool(output.isOutcome)
        encode(policy, to: &writer)
        writer.raw(",\"input\":")
        writer.raw(input)
      case .timer(let interval, let isRepeating, let payload):
        writer.raw("{\"timer\":{\"path\":")
        writer.string(start.path.description)
        writer.raw(",\"interval\":")
        writer.integer(interval)
        writer.raw(",\"isRepeating\":")
        writer.bool(isRepeating)
        writer.raw(",\"input\":")
        writer.raw(payload)
      }
      ids = start.cancelIDs
    }
    writer.raw(",\"ids\":")
    ids.flatMap { [$0.name, $0.value] }.encode(to: &writer)
    writer.raw("}}")
  }

  private func encode(_ policy: EffectPolicy, to writer: inout JSONWriter) {
    writer.raw(",\"queue\":")
    writer.string(policy.queue)
    writer.raw(",\"attempts\":")
    writer.integer(policy.maximumAttempts)
    writer.raw(",\"times\":")
    [
      policy.initialBackoff, policy.maximumBackoff, policy.timeout ?? -1,
      policy.heartbeatTimeout ?? -1,
    ].encode(to: &writer)
  }

  package init(from reader: inout JSONReader) throws(JSONError) {
    guard try reader.beginCase() else { throw reader.error("Expected an effect") }
    let kind = try reader.keyText()
    var members = EffectMembers()
    try reader.beginObject()
    while try reader.nextMember() { try members.read(&reader) }
    guard let command = members.command(kind) else { throw reader.error("Not a whole \(kind)") }
    self = command
    try reader.endCase()
  }
}

/// The members of an encoded effect, as far as they were read.
private struct EffectMembers {
  var path: Path?
  var name = ""
  var cases: [String] = []
  var isOutcome = false
  var policy = EffectPolicy()
  var interval: Int64 = 1
  var isRepeating = false
  var input: Bytes = []
  var ids: [CancelID] = []

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    switch try reader.keyText() {
    case "path": path = Path(try reader.readString())
    case "name": name = try reader.readString()
    case "cases": cases = try [String](from: &reader)
    case "isOutcome": isOutcome = try reader.readBool()
    case "queue": policy.queue = try reader.readString()
    case "attempts": policy.maximumAttempts = try reader.readInteger()
    case "times":
      let times = try [Int64](from: &reader)
      guard times.count == 4 else { throw reader.error("A policy has four times") }
      policy.initialBackoff = times[0]
      policy.maximumBackoff = times[1]
      policy.timeout = times[2] < 0 ? nil : times[2]
      policy.heartbeatTimeout = times[3] < 0 ? nil : times[3]
    case "interval": interval = try reader.readInteger()
    case "isRepeating": isRepeating = try reader.readBool()
    case "input": input = Bytes(reader.bytes[try reader.readRaw()])
    case "ids":
      let texts = try [String](from: &reader)
      ids = stride(from: 0, to: texts.count - 1, by: 2).map {
        CancelID(name: texts[$0], value: texts[$0 + 1])
      }
    default: try reader.skipValue()
    }
  }

  func command(_ kind: String) -> EffectCommand? {
    guard let path else { return nil }
    switch kind {
    case "cancel": return ids.first.map { .cancel(path: path, id: $0) }
    case "operation":
      return .start(
        EffectStart(
          path: path,
          kind: .operation(
            name: name, input: input,
            output: OutputCase(cases: cases, isOutcome: isOutcome), policy: policy),
          cancelIDs: ids))
    case "timer":
      return .start(
        EffectStart(
          path: path,
          kind: .timer(interval: interval, isRepeating: isRepeating, payload: input),
          cancelIDs: ids))
    default: return nil
    }
  }
}
