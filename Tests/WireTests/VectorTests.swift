import Foundation
import PenstockCore
import Testing
import Wire
import WireTestSupport

/// The golden vectors. After a change of the protocol that is meant, run the tests once with
/// `PENSTOCK_WRITE_VECTORS=1`, which writes the files anew, and read what changed.
@Suite struct VectorTests {
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Protocols/vectors")

  private func check(_ name: String, _ text: String) throws {
    let file = Self.directory.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["PENSTOCK_WRITE_VECTORS"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    let isSame = try String(contentsOf: file, encoding: .utf8) == text
    #expect(isSame, "the codec does not make \(name) any more")
  }

  @Test("The frames of the vectors are encoded as they stand there")
  func frames() throws {
    try check("frames.json", Vectors.framesFile())
  }

  @Test("The frames of the vectors decode to what was encoded")
  func decode() throws {
    for vector in Vectors.valid {
      #expect(try Codec.decode(Codec.encode(vector.frame)) == vector.frame, "\(vector.name)")
    }
  }

  @Test("Malformed frames are refused with the code that the vectors state (F-4, F-5, F-6)")
  func malformed() throws {
    try check("malformed.json", Vectors.malformedFile())
    for vector in Vectors.malformed {
      var code: ErrorCode?
      do throws(WireError) { _ = try Codec.decode(vector.bytes) } catch { code = error.code }
      #expect(code == vector.code, "\(vector.name)")
    }
  }
}
