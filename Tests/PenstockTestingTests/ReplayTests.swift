import Penstock
import PenstockTesting
import Testing

/// Recordings as fixtures: a journal's export, and a tap's.
struct ReplayTests {
  private static let state = String(
    decoding: JSONWriter.bytes(of: Fact.State(number: 7)), as: UTF8.self)

  private static func entry(
    _ sequence: Int, _ origin: String, _ payload: String, correlation: Int = 1
  ) -> String {
    let text = String(decoding: JSONWriter.bytes(of: payload), as: UTF8.self)
    return """
      {"position":\(sequence + 1),"kind":"record","sequence":\(sequence),"path":"/","now":1000,\
      "seed":5,"origin":"\(origin)","correlation":\(correlation),"payload":\(text),"hash":"00"}
      """
  }

  private static func action(
    _ sequence: Int, _ origin: String, _ payload: String, _ patch: String, flag: String = "null"
  ) -> String {
    """
    {"v":1,"k":"action","n":1,"t":"2026-11-30T14:02:07.361204Z","seq":\(sequence),"path":"/",\
    "corr":1,"from":"\(origin)","seed":5,"flag":\(flag),"payload":\(payload),"patch":[\(patch)]}
    """
  }

  private static let loading = #"{"op":"set","path":["isLoading"],"value":true}"#
  private static let answered = """
    {"op":"set","path":["isLoading"],"value":false},{"op":"set","path":["fact"],"value":"7 is prime"}
    """
  private static let header =
    #"{"v":1,"k":"header","application":"fact","seq":4,"state":"# + state + "}"

  private static let journal = [
    #"{"v":1,"application":"fact","start":1,"builds":{},"cut":0,"hash":"00"}"#,
    entry(0, "initial", state, correlation: 0),
    entry(1, "client 9 1", "\"askTapped\""),
    entry(2, "final 0 1/#0", #"{"response":{"success":"7 is prime"}}"#),
    #"{"end":3,"hash":"00"}"#,
  ]

  private func replayed(_ lines: [String]) async throws -> (state: Fact.State?, texts: [String]) {
    let fixture = try ReplayFixture(lines.joined(separator: "\n") + "\n")
    var state: Fact.State?
    let texts = await texts { state = replay(FactApplication(), fixture) }
    return (state, texts)
  }

  @Test func `a journal's export is reduced again`() async throws {
    let (state, texts) = try await replayed(Self.journal)
    #expect(texts == [])
    #expect(state?.fact == "7 is prime")
    #expect(state?.isLoading == false)
  }

  @Test func `an action that does not follow any more is the first difference`() async throws {
    var lines = Self.journal
    lines[3] = Self.entry(2, "send 1 0", "\"cancelTapped\"")
    let (state, texts) = try await replayed(lines)
    #expect(
      texts == [
        """
        The recording leads elsewhere at record 2, at / (cancelTapped).

            Send 0 of 1 was not made, or stands in the order already.

        The code does no more what it did when this was recorded. If that is meant, record anew; what is \
        recorded with another build can't be gone on with.
        """
      ])
    #expect(state?.isLoading == true)
  }

  @Test func `a record that was set aside is passed over`() async throws {
    var lines = Self.journal
    lines.insert(#"{"position":9,"kind":"mark","sequence":2,"reason":"poison","hash":"00"}"#, at: 4)
    let (state, texts) = try await replayed(lines)
    #expect(texts == [])
    #expect(state?.fact == nil)
  }

  @Test func `a capture's states are compared`() async throws {
    var lines = [
      Self.header, #"{"v":1,"k":"process","n":1,"name":"/","state":"up"}"#,
      Self.action(4, "client 9 0", "\"cancelTapped\"", ""),
      Self.action(5, "client 9 1", "\"askTapped\"", Self.loading),
      Self.action(6, "final 0 5/#0", #"{"response":{"success":"7 is prime"}}"#, Self.answered),
    ]
    #expect(try await replayed(lines).texts == [])
    lines[4] = Self.action(
      6, "final 0 5/#0", #"{"response":{"success":"7 is prime"}}"#,
      #"{"op":"set","path":["fact"],"value":"7 is odd"}"#)
    let text = try #require(try await replayed(lines).texts.first)
    #expect(text.hasPrefix("The recording leads elsewhere at record 6, at / (response).\n"))
    for line in [
      "The state is another one (− recorded, + now).", #"−   fact: "7 is odd","#,
      #"+   fact: "7 is prime","#, "−   isLoading: true", "+   isLoading: false",
    ] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test func `what an effect of before gives is taken as it comes`() async throws {
    let lines = [
      Self.header,
      Self.action(5, "final 0 3/#0", #"{"response":{"success":"7 is prime"}}"#, Self.answered),
    ]
    let (state, texts) = try await replayed(lines)
    #expect(texts == [])
    #expect(state?.fact == "7 is prime")
  }

  @Test func `what can't be replayed is said`() throws {
    func reason(_ lines: [String]) -> String? {
      #expect(throws: ReplayFixture.Unusable.self) {
        try ReplayFixture(lines.joined(separator: "\n"))
      }?.description
    }
    #expect(
      reason([Self.entry(3, "client 1 1", "\"askTapped\"")]) == """
        It begins with record 3, and neither the first record nor a state is there. A journal that has \
        forgotten its beginning can't be replayed; let “penstock tap -w” record instead.
        """)
    #expect(
      reason([Self.header, Self.action(7, "client 9 1", "\"askTapped\"", "")])
        == "Records 5 to 6 are missing: the tap was too slow.")
    #expect(
      reason([Self.header, #"{"v":1,"k":"action","seq":9,"trunc":true}"#])
        == """
        Line 2 can't be used: the payload of action 9 was left out, because it is too large
        """)
    #expect(
      reason([#"{"v":1,"k":"action","seq":9}"#])
        == "Line 1 can't be used: an action has no member from: an older version captured it")
    #expect(
      reason([#"{"a":1}"#])
        == "Line 1 can't be used: it is neither a journal's export nor a tap's record")
  }
}

private struct FactApplication: PenstockApp {
  static let name = "fact"
  static let operations: [any WorkerOperation.Type] = [NumberFact.self]
  var root: Fact { Fact() }
  var initialState: Fact.State { Fact.State(number: 7) }
}
