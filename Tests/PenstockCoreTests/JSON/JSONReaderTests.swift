import PenstockCore
import Simulation
import Testing

struct JSONReaderTests {
  @Test(
    "What is not strict JSON is refused",
    arguments: [
      "", "[1,]", "[1 2]", "01", "-", "1.", "1e", "\"a", "\"\\x\"", "\"\\ud800\"", "{\"a\":1,}",
      "{a:1}", "nul", "[", "{\"a\" 1}", "\"\u{1}\"", "1 1", "[1]]", "tru", "+1", ".5",
      String(repeating: "[", count: 200),
    ])
  func refused(text: String) {
    #expect(throws: JSONError.self) {
      var reader = JSONReader(Array(text.utf8))
      if text.hasPrefix("\"") { _ = try reader.readString() } else { try reader.skipValue() }
      try reader.finish()
    }
  }

  @Test("Bytes that are not UTF-8 are refused in strings")
  func notUTF8() {
    #expect(throws: JSONError.self) {
      try JSONReader.decode(String.self, from: [0x22, 0xFF, 0x22])
    }
  }

  @Test("Random bytes never trap")
  func fuzz() {
    var random = SeededGenerator(seed: 7)
    let alphabet = Array(#"{}[]",:\u0019ad-e.tfn "#.utf8) + [0xFF]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<24, using: &random)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random)! }
      _ = try? JSONReader.decode(TestState.self, from: bytes)
      _ = try? JSONReader.decode(String.self, from: bytes)
      _ = JSONScan.members(of: bytes)
      _ = JSONScan.firstKey(of: bytes)
    }
  }

  @Test("Integers read back at both ends of their range and are refused beyond it")
  func integers() throws {
    for value in [Int64.min, -1, 0, 1, .max] {
      #expect(try JSONReader.decode(from: JSONWriter.bytes(of: value)) == value)
    }
    #expect(try JSONReader.decode(from: JSONWriter.bytes(of: UInt64.max)) == UInt64.max)
    for text in ["256", "-1", "1.0", "1e2"] {
      #expect(throws: JSONError.self) { try JSONReader.decode(UInt8.self, from: Array(text.utf8)) }
    }
  }

  @Test(
    "Doubles read back bit for bit",
    arguments: [
      0, -0.0, 0.1, 1e300, Double.leastNonzeroMagnitude, -1.5, .infinity, -.infinity, 1e20,
      123456789.125,
    ])
  func doubles(value: Double) throws {
    let back = try JSONReader.decode(Double.self, from: JSONWriter.bytes(of: value))
    #expect(back.bitPattern == value.bitPattern)
  }

  @Test("Not a number is a string")
  func nan() throws {
    #expect(JSONWriter.bytes(of: Double.nan) == Array("\"nan\"".utf8))
    #expect(try JSONReader.decode(Double.self, from: Array("\"nan\"".utf8)).isNaN)
  }

  @Test("Escapes are read in strings and in member names")
  func escapes() throws {
    let text = #""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#
    let plain = "a\"\\/\u{8}\u{c}\n\r\té😀"
    #expect(try JSONReader.decode(String.self, from: Array(text.utf8)) == plain)
    #expect(try JSONReader.decode(String.self, from: JSONWriter.bytes(of: plain)) == plain)
    let state = try JSONReader.decode(
      TestState.self, from: Array(#" { "n\u0075mber" : 4 , "unknown":[{}], "name":"x" } "#.utf8))
    #expect(state.number == 4)
    #expect(state.name == "x")
  }

  @Test("Nested optionals keep apart what is absent at which level")
  func nestedOptionals() throws {
    for value: Int?? in [nil, .some(nil), .some(1)] {
      #expect(try JSONReader.decode(Int??.self, from: JSONWriter.bytes(of: value)) == value)
    }
  }

  @Test("An error says where and what")
  func message() {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.decode([Int].self, from: Array("[1,true]".utf8))
    }
    #expect(error?.description == "Expected an integer at byte 3")
  }
}
