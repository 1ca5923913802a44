import Commands
import PenstockCore
import Testing

@Suite struct SendPayloadTests {
  @Test(arguments: [
    (["reset"], #""reset""#), ([#""reset""#], #""reset""#),
    ([#"{ "add": {"url": "http://a"} }"#], #"{"add":{"url":"http://a"}}"#),
    (["add", #"{"url":"http://a"}"#], #"{"add":{"url":"http://a"}}"#),
    (["set", "5"], #"{"set":5}"#), (["set", "null"], #"{"set":null}"#),
  ])
  func `an action is JSON, or a case's name with its value`(words: [String], payload: String)
    throws
  {
    #expect(String(decoding: try SendPayload.read(words), as: UTF8.self) == payload)
  }

  @Test(arguments: [
    (["{add"], "PS-A11"), (["add", "{"], "PS-A11"), ([#"{"a":1}"#, "2"], "PS-A10"),
    (["@/nonexistent/file"], "PS-A08"), ([""], "PS-A11"),
  ])
  func `what is neither is refused before it is sent`(words: [String], code: String) {
    do throws(CommandFailure) {
      _ = try SendPayload.read(words)
      Issue.record("\(words) was taken")
    } catch {
      #expect(error.code == code)
      #expect(error.status == .usage)
    }
  }
}
