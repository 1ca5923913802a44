import Platform
import Testing

@Suite struct ProgramArgumentsTests {
  @Test func `arguments of UTF-8 have no fault`() {
    #expect(ProgramArguments.fault(in: [[], Array("ü".utf8), Array("\u{FFFD}".utf8)]) == nil)
    #expect(ProgramArguments.fault == nil)
  }

  @Test(arguments: [[0xE9], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
  func `the first that is no UTF-8 is named, not repaired`(bytes: [UInt8]) {
    let fault = ProgramArguments.fault(in: [[0x61], [0x1B] + bytes, [0xFF]])
    #expect(fault?.place == 2)
    #expect(fault.map { "\($0)" }?.hasPrefix(#"argument 2 is no UTF-8: \u001b"#) == true)
  }
}
