import PenstockCore
import Testing

struct JSONScanTests {
  let bytes = Array(#" { "a" : {"b":[1, 2]} , "c":"x" } "#.utf8)

  @Test("Members are found in order")
  func members() throws {
    let members = try #require(JSONScan.members(of: bytes))
    #expect(members.map(\.key) == ["a", "c"])
    #expect(
      members.map { String(decoding: bytes[$0.value], as: UTF8.self) } == [
        #"{"b":[1, 2]}"#, #""x""#,
      ])
    #expect(JSONScan.members(of: Array("[1]".utf8)) == nil)
  }

  @Test("A value is found by its names")
  func value() throws {
    let range = try #require(JSONScan.value(at: ["a", "b"], in: bytes))
    #expect(String(decoding: bytes[range], as: UTF8.self) == "[1, 2]")
    #expect(JSONScan.value(at: ["a", "x"], in: bytes) == nil)
    #expect(JSONScan.value(at: ["c", "x"], in: bytes) == nil)
  }

  @Test("The case of an action is its first key, with or without a value")
  func firstKey() {
    #expect(
      JSONScan.firstKey(of: Array(#" "tick" "#.utf8))
        == .init(key: "tick", value: nil, isOnlyMember: true))
    #expect(
      JSONScan.firstKey(of: Array(#"{"a":1}"#.utf8))
        == .init(key: "a", value: 5..<6, isOnlyMember: true))
    #expect(
      JSONScan.firstKey(of: Array(#"{"a":1,"b":2}"#.utf8))
        == .init(key: "a", value: 5..<6, isOnlyMember: false))
    #expect(JSONScan.firstKey(of: Array("{}".utf8)) == nil)
  }

  @Test("A parent's cases are peeled off without types (R12, S-9)")
  func canonical() throws {
    let description = ApplicationDescription(
      name: "test",
      levels: [
        LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true),
        LevelDescription(
          path: Path("/login")!, kind: .scope, statePath: ["login"], hasLogic: true),
        LevelDescription(
          path: Path("/login/rows/*")!, kind: .collection, statePath: ["login", "rows", "*"],
          hasLogic: true),
      ])
    func canonical(_ path: String, _ payload: String) -> String? {
      description.canonical(Path(path)!, Array(payload.utf8)).map {
        "\($0.path) \(String(decoding: $0.payload, as: UTF8.self))"
      }
    }
    #expect(canonical("/", #"{"login":"reset"}"#) == #"/login "reset""#)
    #expect(canonical("/", #"{"other":"reset"}"#) == #"/ {"other":"reset"}"#)
    #expect(
      canonical("/", #"{"login":{"rows":{"element":{"id":"a/b","action":{"set":1}}}}}"#)
        == #"/login/rows/a%2Fb {"set":1}"#)
    #expect(
      canonical("/login", #"{"rows":{"element":{"id":7,"action":"x"}}}"#)
        == #"/login/rows/7 "x""#)
    #expect(canonical("/login/rows/7", #""x""#) == #"/login/rows/7 "x""#)
    #expect(canonical("/nowhere", #""x""#) == nil)
  }

  @Test("Wrapping puts names around bytes (S-10)")
  func wrap() {
    #expect(JSONScan.wrap([0x31], in: ["a", "b"]) == Array(#"{"a":{"b":1}}"#.utf8))
  }
}
