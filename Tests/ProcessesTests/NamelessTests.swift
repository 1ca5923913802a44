import Glibc
import ProcessSupport
import Testing

/// Executables that do not say which application they are (PS-S06), and why not.
@Suite(.serialized) struct NamelessTests {
  private static func verify(_ commands: String) throws -> (script: String, process: ChildProcess) {
    let script = try Script(
      """
      #!/bin/sh
      [ "$1" = describe ] || exit 0
      \(commands)

      """)
    let process = try ChildProcess("penstock", ["verify", script.path])
    _ = process.exitCode(within: 30)
    return (script.path, process)
  }

  @Test(arguments: [
    ("echo one >&2; echo two >&2; exit 127", ["ended with code 127.", "It said: two"]),
    ("echo killed >&2; kill -KILL $$", ["was ended by signal 9.", "It said: killed"]),
    ("kill -SEGV $$", ["was ended by signal 11."]),
    ("echo '{\"name\":\"x\"}'", ["ended with code 0, and printed no description."]),
    ("echo usage >&2", ["ended with code 0, and printed no description.", "It said: usage"]),
    ("head -c 17000000 /dev/zero; exec sleep 600", ["printed more than 16777216 bytes."]),
  ])
  func `one that is none says how it ended`(commands: String, reasons: [String]) throws {
    let (script, process) = try Self.verify(commands)
    #expect(process.exitCode() == 2)
    #expect(
      process.errors == """
        penstock verify: script is no Penstock application [PS-S06]
          `\(script) describe` \(reasons.joined(separator: "\n  "))
          Name an executable whose main is ApplicationMain.run

        """)
  }

  @Test func `one that is slow is ended, and not called none`() throws {
    let directory = TemporaryDirectory()
    let file = directory.file("pid")
    let (script, process) = try Self.verify(
      "echo $$ >'\(file)'; echo 'reads its tables' >&2; exec sleep 600")
    #expect(process.exitCode() == 5)
    #expect(
      process.errors == """
        penstock verify: script did not describe itself in time [PS-S06]
          `\(script) describe` was still at work after 5 s, and was ended.
          It said: reads its tables
          Try: again when the machine is less busy

        """)
    let child = try #require(pid_t(ChildProcess.contents(of: file).filter(\.isNumber)))
    #expect(kill(child, 0) != 0 && errno == ESRCH)
  }

  @Test func `one that can't be started says why`() throws {
    let directory = TemporaryDirectory()
    let file = open(directory.file("x"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
    close(file)
    let process = try ChildProcess("penstock", ["verify", directory.file("x")])
    #expect(process.exitCode(within: 30) == 2)
    let start = "penstock verify: x is no Penstock application [PS-S06]\n  can't start "
    #expect(process.errors.hasPrefix(start), "\(process.errors)")
  }
}
