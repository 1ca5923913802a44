import Testing
import ZeroMQ

@Suite struct EndpointTests {
  @Test(arguments: [
    "ipc:///run/a.sock", "tcp://127.0.0.1:5555", "tcp://[::1]:1", "tcp://127.0.0.1:*",
  ])
  func `accepted endpoints read back as they were written`(text: String) throws {
    let plain = text.replacing(":*", with: ":0")
    #expect(try Endpoint(plain).description == text)
  }

  @Test func `a path of 107 bytes is the longest`() throws {
    let longest = "/" + String(repeating: "a", count: 106)
    #expect(try Endpoint("ipc://" + longest) == .ipc(path: longest))
    let tooLong = longest + "b"
    #expect {
      try Endpoint("ipc://" + tooLong)
    } throws: { error in
      "\(error)"
        == "the socket's path has 108 bytes, and the system takes 107 at most: \(tooLong)"
    }
  }

  @Test func `an address off the loopback is refused with the reason`() {
    #expect {
      try Endpoint("tcp://10.0.0.1:5555")
    } throws: { error in
      "\(error)".contains("would be neither encrypted nor authenticated")
        && (error as? TransportError)?.code == .notPermitted
    }
  }

  @Test(arguments: [
    "udp://127.0.0.1:1", "pgm://a", "inproc://a", "ipc://relative", "tcp://127.0.0.1",
    "tcp://:80", "tcp://127.0.0.1:70000", "tcp://127.0.0.1.evil.example:80", "",
  ])
  func `other transports and half endpoints are refused`(text: String) {
    #expect(throws: TransportError.self) { try Endpoint(text) }
  }
}
