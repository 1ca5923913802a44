import Commands
import PenstockCore
import Testing

@Suite struct ScopeCheckTests {
  private func check() throws -> ScopeCheck {
    let levels = ["/", "/targets", "/targets/rows/*", "/alerts"].map { #"{"path":"\#($0)"}"# }
    let text = #"{"description":{"levels":[\#(levels.joined(separator: ","))]}}"#
    return ScopeCheck(try JSONValue(Bytes(text.utf8)))
  }

  @Test(arguments: [
    ("/", true), ("/targets", true), ("/targets/rows", true), ("/targets/rows/a", true),
    ("/tar*", true), ("/*/rows/a*", true), ("/**", true), ("/nope", false), ("/target", false),
    ("/nope/rows", false), ("/targets/rows/a/b", false), ("/x*", false),
  ])
  func `a path is known at a scope and above one`(path: String, isKnown: Bool) throws {
    #expect(try check().unknown(of: [path]) == (isKnown ? [] : [path]))
  }

  @Test(arguments: [
    ("/top/folders/1", true), ("/top/folders/1/folders/2/shelf/folders/3/shelf", true),
    ("/top/folders/*/shelf", true), ("/top/folders/1/folders", true), ("/*/*/*/shelf", true),
    ("/top/folders/1/pages", false), ("/top/folders/1/folders/2/pages", false),
    ("/top/shelf/shelf", false),
  ])
  func `below a feature that contains itself it goes on as above`(path: String, isKnown: Bool)
    throws
  {
    let levels = [
      #"{"path":"/"}"#, #"{"path":"/top"}"#, #"{"path":"/top/shelf"}"#,
      #"{"path":"/top/shelf/folders/*","repeats":"/top"}"#,
      #"{"path":"/top/folders/*","repeats":"/top"}"#,
    ]
    let text = #"{"description":{"levels":[\#(levels.joined(separator: ","))]}}"#
    let check = ScopeCheck(try JSONValue(Bytes(text.utf8)))
    #expect(check.unknown(of: [path]) == (isKnown ? [] : [path]))
  }

  @Test func `the nearest scope is named, or all`() throws {
    #expect(try check().details(of: "/target") == "Did you mean /targets?")
    #expect(
      try check().details(of: "/nope") == "Its scopes: /, /targets, /targets/rows/*, /alerts")
  }

  @Test func `a filter knows the paths that are wanted`() throws {
    #expect(try TapFilter(["/a", "!/b", "effect", "add", "/c*"]).paths == ["/a", "/c*"])
  }
}
