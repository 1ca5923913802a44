import Commands
import Testing

@Suite struct HelpTextTests {
  @Test func `the overview lists commands, options and exit codes`() {
    #expect(
      HelpText.of(nil) == """
        penstock: look into a running Penstock application, and talk to it

        Usage: penstock [OPTIONS] COMMAND [ARGUMENTS]

        Commands
          init        Write a small application to begin with
          tap         Show actions, effects and processes as they happen
          send        Send an action and print what became of it
          state       Print the state at a path, merged from all processes
          ps          List the system's processes
          ready       Wait until every process has registered and state is served
          trace       Show what an action caused: actions and effects as a tree
          effects     List the effects and timers that live
          quarantine  List actions that ended their feature and were set aside
          simulate    Run whole systems under faults from seeds, judged by the oracle
          compare     Play recorded actions in three placements, each against the oracle
          verify      Replay a journal with an application's build, and compare
          export      Write a stretch of history as a test
          journal     Verify, count, export, import, compact or copy a journal
          checkpoint  Write a checkpoint at the head of the order
          help        Show the help of a command

        Options, before or after the command
          -S, --system NAME       The system: its name, or its run directory (with a
                                  slash); default: $PENSTOCK_SYSTEM, or the only one
                                  that runs
          -o, --output FORMAT     text, or JSON: one object, or one a line where records
                                  follow each other
              --json              The same as -o json
              --color WHEN        auto (the default), always or never
          -q, --quiet             Only the answer: no headings and no remarks on
                                  standard error
              --timeout DURATION  How long to wait for an answer: 500ms, 5s (default),
                                  2m
          -h, --help              This help; help COMMAND has more
              --version           The version

        Exit codes
          0 done · 1 negative answer · 2 usage · 3 not running · 4 no such name · 5 timed out
          6 refused · 7 other protocol · 70 bug

        Processes are started and stopped by Deploy/supervisor.

        """)
  }

  @Test func `a command's help comes from the table`() {
    #expect(
      HelpText.of(.ready) == """
        Wait until every process has registered and state is served

        Usage: penstock ready [OPTIONS]

        It says what is missing when it gives up: code 5.

        Options
              --feature PATH  A feature that must be up (default: those that the router
                              knows)
              --workers N     How many workers must be up (default 0)

        Options of all commands
          -S, --system NAME       The system: its name, or its run directory (with a
                                  slash); default: $PENSTOCK_SYSTEM, or the only one
                                  that runs
          -o, --output FORMAT     text, or JSON: one object, or one a line where records
                                  follow each other
              --json              The same as -o json
              --color WHEN        auto (the default), always or never
          -q, --quiet             Only the answer: no headings and no remarks on
                                  standard error
              --timeout DURATION  How long to wait for an answer: 500ms, 5s (default),
                                  2m
          -h, --help              This help; help COMMAND has more
              --version           The version

        Examples
          penstock ready --timeout 10s --workers 2

        """)
  }

  @Test(arguments: Command.Name.allCases)
  func `no line of a help is wider than a terminal`(name: Command.Name) {
    for line in HelpText.of(name).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
}
