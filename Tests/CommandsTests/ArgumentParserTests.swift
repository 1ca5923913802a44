import Commands
import Testing

@Suite struct ArgumentParserTests {
  private func invocation(_ line: String) throws -> Invocation {
    let arguments = line.split(separator: " ").map(String.init)
    guard case .run(let invocation) = try ArgumentParser.parse(arguments) else {
      throw CommandFailure(.bug, "TEST", "no invocation for \(line)")
    }
    return invocation
  }

  @Test(arguments: [
    "-S demo tap -c 5 /targets", "tap /targets -c 5 -S demo", "tap -c5 --system=demo /targets",
    "--system demo tap --count 5 -- /targets", "tap --count=5 -Sdemo /targets",
  ])
  func `options may stand anywhere, in each spelling`(line: String) throws {
    let invocation = try invocation(line)
    #expect(invocation.command.name == .tap)
    #expect(invocation.words == ["/targets"])
    #expect(try invocation.number("count") == 5)
    #expect(invocation.value("system") == "demo")
  }

  @Test func `after two dashes everything is a word`() throws {
    #expect(try invocation("tap -- -c --help").words == ["-c", "--help"])
  }

  @Test func `flags add up`() throws {
    #expect(try invocation("tap -vv").count("verbose") == 2)
    #expect(try invocation("tap -v --verbose").count("verbose") == 2)
    #expect(try invocation("tap -vc3").number("count") == 3)
  }

  @Test func `a lone dash is a word`() throws {
    #expect(try invocation("send /a -").words == ["/a", "-"])
  }

  @Test(arguments: [
    ("-h", nil), ("--help", nil), ("tap --nonsense -h", Command.Name.tap), ("help", nil),
    ("help ps", .ps), ("ps --help", .ps), ("--help send", .send),
  ])
  func `help is found anywhere`(line: String, name: Command.Name?) throws {
    let arguments = line.split(separator: " ").map(String.init)
    #expect(try ArgumentParser.parse(arguments) == .help(name))
  }

  @Test func `the version is asked for without a command`() throws {
    #expect(try ArgumentParser.parse(["--version"]) == .version)
  }

  @Test(arguments: [
    ("", "penstock: no command [PS-A00]\n  Try: penstock --help\n"),
    ("tpa", "penstock: unknown command \"tpa\" [PS-A00]\n  Did you mean tap?\n"),
    ("frobnicate", "penstock: unknown command \"frobnicate\" [PS-A00]\n  Try: penstock --help\n"),
    ("tap --cuont 5", "penstock: unknown option --cuont [PS-A01]\n  Did you mean --count?\n"),
    (
      "ps --run-dir /x",
      "penstock: unknown option --run-dir [PS-A01]\n  Did you mean -S, --system?\n"
    ),
    (
      "--run-dir=/x ps",
      "penstock: unknown option --run-dir [PS-A01]\n  Did you mean -S, --system?\n"
    ),
    ("state -f", "penstock: unknown option -f [PS-A01]\n  Did you mean --watch?\n"),
    ("tap --number 5", "penstock: unknown option --number [PS-A01]\n  Did you mean -c, --count?\n"),
    ("ps -z", "penstock: unknown option -z [PS-A01]\n  Try: penstock ps --help\n"),
    (
      "send /a",
      "penstock: too few arguments [PS-A02]\n"
        + "  Usage: penstock send [OPTIONS] PATH ACTION [VALUE]\n"
    ),
    ("ps x", "penstock: too many arguments [PS-A02]\n  Usage: penstock ps [OPTIONS]\n"),
    ("tap -c", "penstock: -c needs a value [PS-A03]\n"),
    ("ps --tree=yes", "penstock: --tree takes no value [PS-A03]\n"),
    ("ps -o xml", "penstock: -o does not know \"xml\" [PS-A04]\n  It takes text, json, jsonl\n"),
    ("help tpa", "penstock: unknown command \"tpa\" [PS-A00]\n  Did you mean tap?\n"),
  ])
  func `what is wrong with a line is said in full`(line: String, message: String) {
    let failure = #expect(throws: CommandFailure.self) {
      try ArgumentParser.parse(line.split(separator: " ").map(String.init))
    }
    #expect(failure?.text(command: nil) == message)
    #expect(failure?.status == .usage)
  }

  @Test(arguments: [("-c", "0"), ("-c", "x"), ("-c", "-1")])
  func `a count must be a number from one`(option: String, value: String) throws {
    let invocation = try invocation("tap \(option) \(value)")
    #expect(throws: CommandFailure(.usage, "PS-A05", "--count needs a number, not \"\(value)\"")) {
      try invocation.number("count")
    }
  }

  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("5s", .seconds(5)), ("5", .seconds(5)),
    ("1.5m", .seconds(90)), ("2h", .seconds(7200)), ("5x", nil), ("", nil), ("s", nil),
    ("100000h", .seconds(360_000_000)), ("100001h", nil), ("99999999999999999999h", nil),
  ])
  func `durations have units`(text: String, duration: Duration?) {
    #expect(Duration(text: text) == duration)
  }

  @Test(arguments: [
    ("tap", "tap", 0), ("tpa", "tap", 1), ("", "tap", 3), ("stat", "state", 1), ("ab", "cd", 2),
  ])
  func `the distance counts changes`(left: String, right: String, distance: Int) {
    #expect(EditDistance.between(left, right) == distance)
  }

  @Test func `every command stands in the table once`() {
    #expect(CommandTable.commands.map(\.name) == Command.Name.allCases)
  }

  @Test func `no synonym is an option of its command`() {
    for command in CommandTable.commands {
      let options = command.options + command.globals
      #expect(Set(options.flatMap(\.spellings)).isDisjoint(with: options.flatMap(\.synonyms)))
    }
  }

  @Test func `no option is spelled like another of its command`() {
    for command in CommandTable.commands {
      let spellings = (command.options + command.globals).flatMap(\.spellings)
      #expect(Set(spellings).count == spellings.count, "\(command.name)")
    }
  }
}
