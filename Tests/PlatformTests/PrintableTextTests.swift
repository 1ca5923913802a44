import Platform
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("/rows/a", "/rows/a"), ("a\nb", #"a\nb"#), ("a\r\nb\t", #"a\r\nb\t"#),
    ("\u{1B}[31mred", #"\u001b[31mred"#), ("\0\u{7F}\u{9B}2J", #"\u0000\u007f\u009b2J"#),
    ("ü→😀\\", "ü→😀\\"),
  ])
  func `control characters are written out`(text: String, expected: String) {
    #expect(text.printable == expected)
  }

  @Test func `text of several lines keeps them`() {
    #expect("a\n\tb\u{1B}c\r\n".printableLines == "a\n\tb\\u001bc\\r\n")
  }

  @Test func `a log has a line for a line, whatever it says`() {
    #expect(
      Log.line(.info, "router", "a\nb\u{1B}", ["path": "/x\u{7F}\ny", "n": "1"])
        == "info router a b\\u001b path=\"/x\\u007f y\" n=1\n")
  }
}
