import PenstockCore
import PenstockTesting

extension SystemUnderTest {
  /// How far the order will have come when nothing more happens by itself, as far as is known.
  struct Head {
    var committed: UInt64 = 0
    /// What has a number or waits for one, and is not committed.
    var pending = 0
  }

  func head() throws(TestEngineFailure) -> Head {
    var head = Head()
    try ask("pending") { (name, reader) throws(JSONError) in
      switch name {
      case "sequence": head.committed = try reader.readInteger()
      case "records": head.pending = try reader.readInteger()
      default: try reader.skipValue()
      }
    }
    return head
  }

  /// The names of what is alive by the router's account, in order.
  func livingEffects() throws(TestEngineFailure) -> [String] {
    var names: [String] = []
    try ask("effects") { (name, reader) throws(JSONError) in
      guard name == "effects" else { return try reader.skipValue() }
      try reader.beginArray()
      while try reader.nextElement() {
        try reader.beginObject()
        while try reader.nextMember() {
          if try reader.keyText() == "id" {
            names.append(try reader.readString())
          } else {
            try reader.skipValue()
          }
        }
      }
    }
    return names
  }

  /// Asks the router, and gives the members of its answer.
  private func ask(
    _ verb: String, _ take: (String, inout JSONReader) throws(JSONError) -> Void
  ) throws(TestEngineFailure) {
    let body = try request(verb, "{}")
    do throws(JSONError) {
      var reader = JSONReader(body)
      try reader.beginObject()
      while try reader.nextMember() { try take(try reader.keyText(), &reader) }
    } catch {
      throw TestEngineFailure("The router's answer to \(verb) can't be read: \(error.message)")
    }
  }
}
