import Commands
import PenstockCore
import Testing

@Suite struct ReportTests {
  private func json(_ text: String) throws -> JSONValue { try JSONValue(Bytes(text.utf8)) }

  static let processes = #"""
    {"v":1,"application":"uptime","pid":4101,"start":2,"durable":true,"now":90000000,"since":30000000,
    "numbered":912,"retired":912,"committed":911,"waiting":2,"unserved":["Probe"],"quarantined":2,"clients":1,"peers":[
    {"name":"/","role":"feature","state":"up","pid":4102,"since":30500000,"restarts":0,"queue":0,
    "actions":640,"slots":0,"running":0,"message":null},
    {"name":"/alerts","role":"feature","state":"down","pid":null,"since":88000000,"restarts":3,
    "queue":17,"actions":4,"slots":0,"running":0,"message":"a deadline passed"},
    {"name":"/targets","role":"feature","state":"up","pid":4104,"since":30500000,"restarts":0,
    "queue":0,"actions":600,"slots":0,"running":0,"message":null},
    {"name":"worker-1","role":"worker","state":"up","pid":4105,"since":31000000,"restarts":0,
    "queue":0,"actions":51,"slots":4,"running":3,"message":null}]}
    """#

  @Test func `processes are listed in columns`() throws {
    let text = ProcessReport(try json(Self.processes)).text(isTree: false, isQuiet: false)
    #expect(
      text == """
        NAME      ROLE     STATE   PID     UP  BACK  DONE  QUEUE  NOTES
        uptime    router   up     4101  1m00s     1   911      2  durable, 1 client, no worker serves Probe, 2 in quarantine
        /         feature  up     4102  59.5s     0   640      0
        /alerts   feature  down      –   2.0s     3     4     17  a deadline passed
        /targets  feature  up     4104  59.5s     0   600      0
        worker-1  worker   up     4105  59.0s     0    51      0  3/4 slots

        """)
  }

  @Test func `what is in quarantine is listed, and one of it is shown whole`() throws {
    let answer = try json(
      #"""
      {"v":1,"now":9000000,"actions":[{"seq":7,"path":"/left","type":"trap","t":5000000,
      "reason":"poison","origin":"send","cause":6,"source":"/","bytes":6,"payload":"\"trap\""}]}
      """#)
    #expect(
      QuarantineReport.text(answer, isQuiet: false) == """
        SEQ  PATH   TYPE  REASON  FROM  BYTES   AGO
          7  /left  trap  poison  /         6  4.0s

        """)
    #expect(QuarantineReport.whole(answer) == "7 /left poison, from /, caused by 6\n\"trap\"\n")
    #expect(
      QuarantineReport.text(try json(#"{"v":1,"actions":[]}"#), isQuiet: false)
        == "nothing is in quarantine\n")
  }

  @Test func `names with control characters keep to their line`() throws {
    let answer = try json(
      #"""
      {"v":1,"now":9000000,"actions":[{"seq":7,"path":"/a\nb","type":"trap","t":5000000,
      "reason":"poison","origin":"send","cause":6,"source":"/\u001b[1m","bytes":6,"payload":"[\n\u001b]"}]}
      """#)
    #expect(
      QuarantineReport.text(answer, isQuiet: true)
        == #"7  /a\nb  trap  poison  /\u001b[1m  6  4.0s"# + "\n")
    #expect(
      QuarantineReport.whole(answer)
        == #"7 /a\nb poison, from /\u001b[1m, caused by 6"# + "\n[\n" + #"\u001b]"# + "\n")
    #expect(
      StateChanges.lines(
        from: try json(#"{"a\u001b":"x"}"#), to: try json(#"{"a\u001b":"\u007f\n"}"#))
        == [#"a\u001b: "x" → "\u007f\n""#])
    let failure = CommandFailure(
      .noSuchName, "PS-R20", "unknown-path: /a\n\u{1B}", "one\ntwo\u{9B}")
    #expect(
      failure.text(command: "send")
        == #"penstock send: unknown-path: /a\n\u001b [PS-R20]"# + "\n  one\ntwo" + #"\u009b"#
        + "\n")
  }

  @Test func `the tree shows features below each other`() throws {
    let text = ProcessReport(try json(Self.processes)).text(isTree: true, isQuiet: true)
    #expect(
      text == """
        uptime          router   up    4101  1m00s  1  911   2  durable, 1 client, no worker serves Probe, 2 in quarantine
        ├─ /            feature  up    4102  59.5s  0  640   0
        │  ├─ /alerts   feature  down     –   2.0s  3    4  17  a deadline passed
        │  └─ /targets  feature  up    4104  59.5s  0  600   0
        └─ worker-1     worker   up    4105  59.0s  0   51   0  3/4 slots

        """)
  }

  @Test func `a trace is a tree of actions and effects`() throws {
    let answer = try json(
      #"""
      {"v":1,"truncated":false,"actions":[
      {"seq":48213,"path":"/targets","type":"check","t":1,"origin":"client","cause":null,"effect":null,
      "source":"penstock-7","flag":null,"lat":412},
      {"seq":48214,"path":"/targets","type":"checked","t":2,"origin":"output","cause":48213,
      "effect":"48213/targets#0","source":"worker-2","flag":null,"lat":280},
      {"seq":48215,"path":"/","type":"log","t":2,"origin":"send","cause":48214,"effect":null,
      "source":"/targets","flag":"unmounted","lat":90}],"effects":[
      {"id":"48213/targets#0","seq":48213,"path":"/targets","operation":"Probe","state":"done",
      "worker":"worker-2","attempt":2,"since":1000,"ended":44000,"message":null},
      {"id":"48214/targets#0","seq":48214,"path":"/targets","operation":"Mail","state":"started",
      "worker":"worker-1","attempt":1,"since":1000,"ended":null,"message":null}]}
      """#)
    #expect(
      TraceReport(answer).text == """
        48213 /targets check  from penstock-7  412µs
        └─ effect Probe 48213/targets#0  done  worker-2  43ms  attempt 2
           └─ 48214 /targets checked  280µs
              ├─ 48215 / log  90µs  unmounted
              └─ effect Mail 48214/targets#0  started  worker-1

        """)
    #expect(!TraceReport(answer).isComplete)
  }

  @Test(arguments: [
    ("queued", 0, false), ("started", 0, false), ("backoff", 0, false), ("done", 0, true),
    ("failed", 0, true), ("cancelled", 0, true), ("timer", 0, true), ("done", 2, false),
  ])
  func `what is to come is waited for, not what has ended or ticks`(
    state: String, uncommitted: Int, isComplete: Bool
  ) throws {
    let answer = try json(
      #"""
      {"v":1,"truncated":false,"uncommitted":\#(uncommitted),"actions":[{"seq":1,"path":"/",
      "type":"a","diagnostics":["no case b"]}],"effects":[{"id":"1/#0","seq":1,"path":"/",
      "operation":"Mail","state":"\#(state)","worker":null,"attempt":1,"since":1000,"ended":null,
      "message":null}]}
      """#)
    #expect(TraceReport(answer).isComplete == isComplete)
    #expect(TraceReport(answer).diagnostics == ["no case b"])
  }

  @Test func `what is missing is said in words`() throws {
    let answer = try json(
      #"""
      {"ready":false,"sequence":0,"missing":[
      {"name":"/alerts","role":"feature","state":"down","message":"a deadline passed"},
      {"name":"worker","role":"worker","state":"1 of 2","message":null},
      {"name":"state","role":"router","state":"missing","message":null}]}
      """#)
    #expect(
      ReadyReport.missing(answer) == [
        "feature /alerts is down: a deadline passed", "workers up: 1 of 2",
        "the state is not served",
      ])
  }

  @Test func `living effects are a table`() throws {
    let answer = try json(
      #"""
      {"v":1,"now":90000000,"effects":[
      {"id":"3/#0","seq":3,"path":"/","operation":"Probe","state":"started","worker":"worker-1",
      "attempt":1,"since":89990000,"due":null},
      {"id":"4/#0","seq":4,"path":"/","operation":"timer","state":"timer","worker":null,"attempt":0,
      "since":80000000,"due":95000000}]}
      """#)
    #expect(
      EffectReport.text(answer, isQuiet: false) == """
        EFFECT  OPERATION  STATE    WORKER    TRY  SINCE      DUE
        3/#0    Probe      started  worker-1    1   10ms        –
        4/#0    timer      timer    –           0  10.0s  in 5.0s

        """)
    #expect(EffectReport.text(try json(#"{"effects":[]}"#), isQuiet: false) == "no effect lives\n")
  }

  @Test func `failed effects are a table`() throws {
    let answer = try json(
      #"""
      {"v":1,"now":90000000,"effects":[
      {"id":"3/a#0","seq":9,"path":"/a","operation":"Probe","attempts":3,"t":89000000,
      "code":"timeout","message":"not done after 2 s"},
      {"id":"4/a#0","seq":11,"path":"/a","operation":"Save","attempts":null,"t":80000000,
      "code":"error","message":"no"}]}
      """#)
    #expect(
      EffectReport.failed(answer, isQuiet: false) == """
        EFFECT  OPERATION  TRIES    AGO  ERROR
        3/a#0   Probe          3   1.0s  timeout: not done after 2 s
        4/a#0   Save           –  10.0s  error: no

        """)
    #expect(
      EffectReport.failed(try json(#"{"effects":[]}"#), isQuiet: false)
        == "no effect failed for good\n")
  }

  @Test func `changes between two states name their places`() throws {
    let old = try json(#"{"rows":{"a":{"s":"up"},"b":1},"n":1}"#)
    let new = try json(#"{"rows":{"a":{"s":"down"},"c":{}},"n":1}"#)
    #expect(
      StateChanges.lines(from: old, to: new) == [
        #"rows.a.s: "up" → "down""#, "- rows.b: 1", "+ rows.c: {}",
      ])
    #expect(
      StateChanges.lines(from: try json(#"{"a":1,"b":2}"#), to: try json(#"{"b":2,"a":1}"#))
        == ["(all): the order of the members changed"])
  }

  @Test func `a state is printed over several lines where it does not fit`() throws {
    let state = try json(#"{"totals":{"up":1,"down":0},"rows":{"a":{"url":"http://a"}},"log":[]}"#)
    #expect(
      state.pretty() == """
        {
          "totals": {"up": 1, "down": 0},
          "rows": {
            "a": {"url": "http://a"}
          },
          "log": []
        }
        """)
    #expect(try JSONValue(Bytes(state.compact.utf8)) == state)
  }

  @Test(arguments: [
    (0, "0µs"), (412, "412µs"), (4100, "4.1ms"), (9_949, "9.9ms"), (43_000, "43ms"),
    (999_400, "999ms"), (999_600, "1.0s"), (20_300_000, "20.3s"), (125_000_000, "2m05s"),
    (11_520_000_000, "3h12m"), (440_000_000_000, "5d02h"),
  ])
  func `durations are short`(microseconds: Int64, text: String) {
    #expect(Quantity.duration(microseconds: microseconds) == text)
  }

  @Test(arguments: [
    ("*", "add", true), ("*", "a/b", false), ("**", "a/b", true), ("/a/*", "/a/b", true),
    ("/a/*", "/a/b/c", false), ("probe*", "probe", true), ("*x*", "axb", true),
    ("ab", "abc", false),
    ("", "", true), ("a*", "", false),
  ])
  func `a star stays within a component, two do not`(pattern: String, text: String, isMatch: Bool) {
    #expect(Glob(pattern).matches(text) == isMatch)
  }
}
