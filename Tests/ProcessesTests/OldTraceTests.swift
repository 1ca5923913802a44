import Glibc
import PenstockCore
import ProcessSupport
import Processes
import Testing
import ZeroMQ

/// `penstock trace` of records that are older than the router.
@Suite struct OldTraceTests {
  private static func run(
    _ run: TemporaryDirectory, in place: String, journal: String
  ) throws -> ChildProcess {
    let pair = "\(ChildProcess.productsDirectory)/pair"
    return try ChildProcess(
      "/bin/sh",
      ["-c", "cd '\(place)' && exec '\(pair)' run --run-dir '\(run.path)' --journal '\(journal)'"])
  }

  @Test func `the journal that the router has is named, wherever it is`() async throws {
    let (directory, place) = (TemporaryDirectory(), TemporaryDirectory())
    // Files that it is not.
    for name in ["journal.sqlite", "application"] {
      close(open(directory.file(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }
    for isLater in [false, true] {
      let process = try Self.run(directory, in: place.path, journal: "its own.sqlite")
      let client = ClientConnection(
        endpoint: try Endpoint(path: directory.file("router.sock")), name: "test")
      _ = try await withDeadline {
        try await client.submit(Path("/left")!, Array(#"{"add":5}"#.utf8))
      }
      client.close()
      if isLater {
        let trace = try ChildProcess("penstock", ["trace", "1", "-S", directory.path])
        #expect(trace.exitCode() == 4, "\(trace.output)")
        #expect(
          trace.errors.hasSuffix(
            "  penstock journal export '\(place.file("its own.sqlite"))' "
              + "| grep '\"kind\":\"record\",\"sequence\":1,'\n"),
          "\(trace.errors)")
      }
      process.signal(SIGTERM)
      #expect(process.exitCode() == 0, "\(process.errors)")
    }
  }
}
