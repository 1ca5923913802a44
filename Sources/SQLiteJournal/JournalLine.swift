import Machines
import PenstockCore
import Wire

/// A line of an exported journal: members in one order, nothing between them, so that equal journals
/// have equal exports.
enum JournalLine: Hashable {
  /// The first line: what no entry says.
  case header(
    application: String, start: Int64, builds: [Path: UInt64], cut: Int64, cutHash: HashChain)
  case entry(JournalEntry, position: Int64, hash: HashChain)
  /// The last line; without it the export is cut off.
  case end(position: Int64, hash: HashChain)

  private static let version = 1

  var bytes: Bytes {
    var writer = JSONWriter(reserving: 256)
    writer.object { writer in
      switch self {
      case .header(let application, let start, let builds, let cut, let cutHash):
        writer.member("v") { $0.integer(Self.version) }
        writer.member("application") { $0.string(application) }
        writer.member("start") { $0.integer(start) }
        writer.member("builds") { writer in
          writer.object { writer in
            for (path, build) in builds.sorted(by: { $0.key < $1.key }) {
              writer.member(path.description) { $0.string(String(build, radix: 16)) }
            }
          }
        }
        writer.member("cut") { $0.integer(cut) }
        writer.member("hash") { $0.string(cutHash.text) }
      case .entry(let entry, let position, let hash):
        writer.member("position") { $0.integer(position) }
        entry.write(&writer)
        writer.member("hash") { $0.string(hash.text) }
      case .end(let position, let hash):
        writer.member("end") { $0.integer(position) }
        writer.member("hash") { $0.string(hash.text) }
      }
    }
    return writer.bytes
  }

  init(_ bytes: Bytes) throws(JSONError) {
    let fields = try Fields(bytes)
    let hash = try HashChain(text: fields.text("hash"), fields)
    if fields.has("v") {
      let version: Int = try fields.integer("v")
      guard version == Self.version else { throw fields.error("version \(version) is unknown") }
      self = .header(
        application: try fields.text("application"), start: try fields.integer("start"),
        builds: try fields.builds(), cut: try fields.integer("cut"), cutHash: hash)
    } else if fields.has("end") {
      self = .end(position: try fields.integer("end"), hash: hash)
    } else {
      self = .entry(
        try JournalEntry(fields), position: try fields.integer("position"), hash: hash)
    }
    // One encoding of each value: what reads back otherwise was edited.
    guard self.bytes == bytes else { throw fields.error("it is not written as `export` writes it") }
  }

  /// The members of a line.
  struct Fields {
    private let bytes: Bytes
    private var values: [String: Range<Int>] = [:]

    init(_ bytes: Bytes) throws(JSONError) {
      self.bytes = bytes
      var reader = JSONReader(bytes)
      try reader.beginObject()
      while try reader.nextMember() {
        let name = try reader.keyText()
        values[name] = try reader.readRaw()
      }
      try reader.finish()
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    func error(_ message: String) -> JSONError { JSONError(offset: 0, message: message) }

    func text(_ name: String) throws(JSONError) -> String {
      var reader = try reader(name)
      return try reader.readString()
    }

    func integer<I: FixedWidthInteger>(_ name: String) throws(JSONError) -> I {
      var reader = try reader(name)
      return try reader.readInteger()
    }

    func builds() throws(JSONError) -> [Path: UInt64] {
      var reader = try reader("builds")
      var builds: [Path: UInt64] = [:]
      try reader.beginObject()
      while try reader.nextMember() {
        guard let path = Path(try reader.keyText()),
          let build = UInt64(try reader.readString(), radix: 16)
        else { throw error("a build can't be read") }
        builds[path] = build
      }
      return builds
    }

    private func reader(_ name: String) throws(JSONError) -> JSONReader {
      guard let range = values[name] else { throw error("it has no \(name)") }
      return JSONReader(bytes, range: range)
    }
  }
}

extension HashChain {
  /// Sixteen digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  fileprivate init(text: String, _ fields: JournalLine.Fields) throws(JSONError) {
    guard let value = UInt64(text, radix: 16) else {
      throw fields.error("\"\(text)\" is no hash")
    }
    self.init(value)
  }
}

extension JournalEntry {
  fileprivate func write(_ writer: inout JSONWriter) {
    switch self {
    case .start(let number, let now):
      writer.member("kind") { $0.string("start") }
      writer.member("number") { $0.integer(number) }
      writer.member("now") { $0.integer(now) }
    case .record(let record):
      writer.member("kind") { $0.string("record") }
      writer.member("sequence") { $0.integer(record.sequence) }
      writer.member("path") { $0.string(record.path.description) }
      writer.member("now") { $0.integer(record.now) }
      writer.member("seed") { $0.integer(record.seed) }
      writer.member("origin") { $0.string(record.origin.text) }
      writer.member("correlation") { $0.integer(record.correlation) }
      if let text = String(validating: record.payload, as: UTF8.self) {
        writer.member("payload") { $0.string(text) }
      } else {
        writer.member("payload64") { $0.string(Base64.encode(record.payload)) }
      }
    case .mark(let sequence, let reason):
      writer.member("kind") { $0.string("mark") }
      writer.member("sequence") { $0.integer(sequence) }
      writer.member("reason") { $0.string(reason.word) }
    case .checkpoint(let sequence, let body):
      writer.member("kind") { $0.string("checkpoint") }
      writer.member("sequence") { $0.integer(sequence) }
      writer.member("body") { $0.string(Base64.encode(body)) }
    case .build(let sequence, let path, let build):
      writer.member("kind") { $0.string("build") }
      writer.member("sequence") { $0.integer(sequence) }
      writer.member("path") { $0.string(path.description) }
      writer.member("build") { $0.string(String(build, radix: 16)) }
    }
  }

  fileprivate init(_ fields: JournalLine.Fields) throws(JSONError) {
    switch try fields.text("kind") {
    case "start":
      self = .start(number: try fields.integer("number"), now: try fields.integer("now"))
    case "record": self = .record(try OrderRecord(fields))
    case "mark":
      guard let reason = VoidReason(word: try fields.text("reason")) else {
        throw fields.error("its reason is unknown")
      }
      self = .mark(sequence: try fields.integer("sequence"), reason: reason)
    case "checkpoint":
      guard let body = Base64.decode(try fields.text("body")) else {
        throw fields.error("its body is not Base64")
      }
      self = .checkpoint(sequence: try fields.integer("sequence"), body: body)
    case "build":
      guard let path = Path(try fields.text("path")),
        let build = UInt64(try fields.text("build"), radix: 16)
      else { throw fields.error("its path or build can't be read") }
      self = .build(sequence: try fields.integer("sequence"), path: path, build: build)
    default: throw fields.error("its kind is unknown")
    }
  }
}

extension OrderRecord {
  fileprivate init(_ fields: JournalLine.Fields) throws(JSONError) {
    guard let path = Path(try fields.text("path")),
      let origin = Origin(text: try fields.text("origin"))
    else { throw fields.error("its path or origin can't be read") }
    let payload: Bytes
    if fields.has("payload") {
      payload = Bytes(try fields.text("payload").utf8)
    } else {
      guard let bytes = Base64.decode(try fields.text("payload64")) else {
        throw fields.error("its payload is not Base64")
      }
      payload = bytes
    }
    self.init(
      sequence: try fields.integer("sequence"), path: path, payload: payload,
      now: try fields.integer("now"), seed: try fields.integer("seed"), origin: origin,
      correlation: try fields.integer("correlation"))
  }
}
