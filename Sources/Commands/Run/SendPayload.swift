package import PenstockCore

/// The action that `send` was given.
package enum SendPayload {
  /// - Parameter words: the action, and the value of its case.
  package static func read(_ words: [String]) throws(CommandFailure) -> Bytes {
    let action = try text(words[0])
    if words.count == 1 {
      if isName(action) { return Bytes("\"\(action)\"".utf8) }
      return Bytes(try value(action, "ACTION").compact.utf8)
    }
    guard isName(action) else {
      throw CommandFailure(
        .usage, "PS-A10", "with a VALUE, ACTION must be the name of a case, not \(action)")
    }
    let value = try value(try text(words[1]), "VALUE")
    return Bytes("{\"\(action)\":\(value.compact)}".utf8)
  }

  private static func text(_ word: String) throws(CommandFailure) -> String {
    let bytes: Bytes
    if word == "-" {
      bytes = try InputFile.standardInput()
    } else if word.hasPrefix("@") {
      bytes = try InputFile.read(String(word.dropFirst()))
    } else {
      return word
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.usage, "PS-A11", "\(word) holds no UTF-8, so no JSON")
    }
    return text
  }

  private static func value(
    _ text: String, _ what: String
  ) throws(CommandFailure) -> JSONValue {
    do {
      return try JSONValue(Bytes(text.utf8))
    } catch {
      throw CommandFailure(
        .usage, "PS-A11", "\(what) is no JSON: \(error)",
        "Quote it for the shell: '{\"add\":{\"url\":\"http://a\"}}'")
    }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      && !["true", "false", "null"].contains(text)
  }
}
