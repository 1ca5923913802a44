@testable import Machines
import PenstockCore
import Testing

/// A level that reads runs in each process in which something is that it is below of (R15).
struct RepeatedReaderTests {
  private static func level(
    _ path: String, repeats: String? = nil, reads: [String] = []
  ) -> LevelDescription {
    let path = Path(path)!
    var level = LevelDescription(
      path: path, kind: path.components.last == "*" ? .collection : .scope,
      statePath: path.components, hasLogic: true)
    level.repeats = repeats.flatMap { Path($0) }
    level.reads = reads.compactMap { SharedName($0) }
    return level
  }

  private static let description = ApplicationDescription(
    name: "binders",
    levels: [
      level("/"), level("/top"), level("/top/tag", reads: ["/top#pages"]), level("/top/clip"),
      level("/top/clip/ring"), level("/top/clip/ring/clips/*", repeats: "/top/clip"),
      level("/top/clip/binders/*", repeats: "/top"), level("/top/binders/*", repeats: "/top"),
    ])

  @Test(arguments: [
    ("/top/clip", "/top/clip/binders/1/tag"),
    // A clip in the ring, and in that a binder.
    ("/top/clip/ring", "/top/clip/ring/clips/1/binders/2/tag"),
  ])
  func `what reads its own process where it stands first is given the value elsewhere`(
    placed: String, reader: String
  ) throws {
    let topology = try Topology(description: Self.description, placement: [Path(placed)!])
    let node = try #require(topology.index(of: Path(placed)!))
    #expect(topology.shared.map(\.name.description) == ["/top#pages"])
    #expect(topology.nodes[0].hasReader)
    let reads = topology.way(to: Path(reader)!).reads
    #expect(reads.map(\.node) == [node])
    #expect(reads.map(\.shared) == [[0]])
    #expect(topology.way(to: Path("/top/tag")!).reads.isEmpty)
  }

  @Test func `what reads its own process everywhere is given nothing`() throws {
    let topology = try Topology(description: Self.description, placement: [Path("/top")!])
    #expect(topology.shared.isEmpty)
  }
}
