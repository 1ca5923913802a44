import Commands
import Machines
import PenstockCore
import Testing

@Suite struct VerifyReportTests {
  private func text(_ json: String, isExact: Bool = false) throws -> String {
    VerifyReport(try JSONValue(Bytes(json.utf8)), journal: "j", isExact: isExact, limit: 2).text
  }

  @Test func `what comes out as it did is said with its range`() throws {
    #expect(
      try text(#"{"begins":0,"last":30,"compared":2,"equal_through":30,"difference":null}"#)
        == "j: records 1 to 30 come out as they did, compared at 2 checkpoints\n")
    #expect(
      try text(#"{"begins":9,"last":30,"compared":1,"equal_through":30,"difference":null}"#)
        == """
        j: records 10 to 30 come out as they did, compared at 1 checkpoint
        it begins with record 10; what was before is forgotten (--retain)

        """)
  }

  @Test func `what stands behind the last checkpoint is not said to be as it was`() throws {
    #expect(
      try text(#"{"begins":0,"last":30,"compared":2,"equal_through":9,"difference":null}"#)
        == """
        j: records 1 to 9 come out as they did, compared at 2 checkpoints
        j: records 10 to 30 can be reduced; no checkpoint says yet what came of that

        """)
    #expect(
      try text(#"{"begins":0,"last":1,"compared":1,"equal_through":0,"difference":null}"#)
        == "j: record 1 can be reduced; no checkpoint says yet what came of that\n")
  }

  @Test func `a journal with nothing to replay is no comparison`() throws {
    #expect(
      try text(#"{"begins":9,"last":9,"compared":0,"equal_through":9,"difference":null}"#)
        == """
        j: no record stands after its checkpoint of record 9
        it begins with record 10; what was before is forgotten (--retain)

        """)
  }

  @Test func `a journal without entries may be a copy without its log (J-17)`() {
    let empty = JournalText.text(JournalAudit(), of: "j\u{1B}")
    #expect(empty.hasPrefix(#"j\u001b: as it was written, entries none"#), "\(empty)")
    #expect(empty.contains(#"it needs its log j\u001b-wal too"#), "\(empty)")
    var audit = JournalAudit()
    #expect(audit.take(.start(number: 1, now: 0), at: 1) == nil)
    #expect(!JournalText.text(audit, of: "j").contains("-wal"))
  }

  @Test func `a difference is listed member by member`() throws {
    let report = #"""
      {"begins":0,"last":30,"compared":1,"equal_through":9,"difference":{"sequence":30,"what":"state",
      "message":"the state is another one","recorded":{"a":1,"b":[1,2],"c":{"d":"x"}},
      "replayed":{"a":1,"b":[1,3,4],"c":{}}}}
      """#
    #expect(
      try text(report) == """
        j: a record from 10 to 30 differs: after them the state is another one
          /b/1: was 2, is 3
          /b/2: was null, is 4
          and 1 more
          --against OLD, with the build that wrote it, finds the record

        """)
    #expect(
      try text(report, isExact: true).hasPrefix(
        "j: record 30 is the first that differs: the state is another one\n  /b/1: was 2, is 3\n"))
  }
}
