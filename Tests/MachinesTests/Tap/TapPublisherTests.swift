import Machines
import PenstockCore
import Testing

@Suite struct TapPublisherTests {
  @Test func `without a subscription nothing is encoded but the record is counted (T-2)`() {
    var publisher = TapPublisher()
    #expect(!publisher.isListening)
    #expect(publisher.frame(of: TapRecordTests.action()) == nil)
    _ = publisher.receive([1, UInt8(ascii: "a")])
    let frame = publisher.frame(of: TapRecordTests.action())
    #expect(
      frame.map { String(decoding: $0.prefix(33), as: UTF8.self) }
        == "a/targets\n{\"v\":1,\"k\":\"action\",\"n\"")
    #expect(frame.map { String(decoding: $0, as: UTF8.self).contains(#""n":2,"#) } == true)
  }

  @Test func `a subscription matches the beginning of the topic`() {
    var publisher = TapPublisher()
    _ = publisher.receive([1] + Bytes("a/targets".utf8))
    #expect(publisher.frame(of: TapRecordTests.action()) != nil)
    _ = publisher.receive([0] + Bytes("a/targets".utf8))
    _ = publisher.receive([1] + Bytes("a/alerts".utf8))
    _ = publisher.receive([1] + Bytes("e".utf8))
    #expect(publisher.frame(of: TapRecordTests.action()) == nil)
  }

  @Test func `asking for changes is no wish for records`() {
    var publisher = TapPublisher()
    _ = publisher.receive([1, UInt8(ascii: "+")])
    #expect(publisher.wantsPatches)
    #expect(!publisher.isListening)
    _ = publisher.receive([0, UInt8(ascii: "+")])
    #expect(!publisher.wantsPatches)
  }

  @Test func `a subscription that no topic can match hides none that one can (T-5)`() {
    var publisher = TapPublisher()
    let longest = Bytes("a/".utf8) + Bytes(repeating: UInt8(ascii: "x"), count: 62)
    for first: UInt8 in [1, 0] {
      _ = publisher.receive([1] + longest)
      _ = publisher.receive([first] + longest + [UInt8(ascii: "y")])
      #expect(publisher.isListening)
    }
  }

  @Test(arguments: [[], [2], [255, 0], Bytes("a/targets".utf8)])
  func `what is no subscription is told apart`(frame: Bytes) {
    var publisher = TapPublisher()
    let isSubscription = publisher.receive(frame)
    #expect(!isSubscription)
    #expect(!publisher.isListening)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (951_827_696_000_001, "2000-02-29T12:34:56.000001Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
  ])
  func `times are written as RFC 3339`(microseconds: Int64, text: String) {
    #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
  }
}
