extension String {
  /// On one line, and without a meaning for a terminal: control characters stand as JSON writes them
  /// (`\n`, `\u001b`).
  package var printable: String { escaped { _ in false } }

  /// The same, but line breaks and tabs stay.
  package var printableLines: String { escaped { $0 == "\n" || $0 == "\t" } }

  private func escaped(except isKept: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: { $0.isControl && !isKept($0) }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isControl, !isKept(scalar) {
        text.append(contentsOf: scalar.escape.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// C0, DEL and C1: terminals act on all of them.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  fileprivate var escape: String {
    switch self {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
