import Platform
import ProcessSupport
import Testing

@Suite struct ReplayProgressTests {
  @Test(arguments: [0, 1, 2, 1 << 40] as [UInt64])
  func `what one process says is what the other reads`(sequence: UInt64) throws {
    let path = TemporaryDirectory()
    let writer = try ReplayProgress(path: path.file("page"))
    let reader = try ReplayProgress(path: path.file("page"))
    #expect(reader.subject == nil)
    writer.subject = .record(sequence)
    #expect(reader.subject == .record(sequence))
    writer.subject = .consequence(of: sequence)
    #expect(reader.subject == .consequence(of: sequence))
    #expect(reader.subject?.sequence == sequence)
    writer.subject = nil
    #expect(reader.subject == nil)
  }
}
