import Penstock
package import PenstockCore
package import Simulation

/// The tree under simulation: any of its scopes may be a process.
package struct SimulatedTree: SimulatedApplication {
  package init() {}

  package var program: any ApplicationProgram { Self.shared }

  package var leastUnmounts: Double? { 1 }
  package var reachesRarePaths: Bool { true }

  private static let shared = TreeApp().program

  package var placements: [[Path]] {
    [
      ["/", "/a", "/a/b"],
      ["/", "/a", "/a/b", "/a/c", "/watch", "/watch/list"],
      ["/", "/a", "/a/b", "/a/c", "/list", "/mode", "/watch"],
      [
        "/", "/a", "/a/b", "/a/c", "/a/c/leaf", "/list", "/mode", "/mode/idle", "/mode/busy",
        "/watch", "/watch/leaf", "/watch/list",
      ],
      ["/", "/a/b", "/a/c/leaf", "/mode/busy/leaf", "/list"],
    ].map { $0.map { Path($0)! } }
  }

  package func action(using generator: inout SeededGenerator) -> (path: Path, payload: Bytes) {
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    func leaf() -> String {
      switch number(20) {
      case 0...4: #"{"add":\#(number(30))}"#
      case 5: #"{"chain":\#(number(6))}"#
      case 6: #""draw""#
      case 7...10: #"{"load":\#(number(9))}"#
      case 11: #""cancelLoad""#
      case 12...14: #""stream""#
      case 15, 16: #""later""#
      case 17, 18: #""startTimer""#
      default: #""stopTimer""#
      }
    }
    // An element keeps its id.
    func guest(mayRename: Bool = true) -> String {
      switch number(12) {
      case 0: #""leave""#
      case 1 where mayRename: #"{"rename":\#(number(6))}"#
      default: #"{"leaf":\#(leaf())}"#
      }
    }
    func edit() -> String {
      switch number(8) {
      case 0...3: #"{"insert":\#(number(8))}"#
      case 4: #""reverse""#
      default: #"{"remove":\#(number(8))}"#
      }
    }
    let (path, payload): (String, String) =
      switch number(24) {
      case 22: ("/watch/list", edit())
      case 23: ("/watch/list/rows/\(number(8))", guest(mayRename: false))
      case 20, 21: ("/watch", number(4) == 0 ? #"{"leaf":\#(leaf())}"# : #""look""#)
      case 0...5: ("/a/b", leaf())
      case 6...8: ("/a/c", guest())
      case 9: ("/a/c/leaf", leaf())
      case 10: ("/a", #"{"present":\#(number(4))}"#)
      case 11: ("/a", [#""dismiss""#, #""nudge""#, #""nudge""#, #""hush""#][number(4)])
      case 12, 13: ("/list", edit())
      case 14, 15: ("/list/rows/\(number(8))", guest(mayRename: false))
      case 16: ("/mode/idle", leaf())
      case 17: ("/", #"{"mode":{"busy":\#(guest())}}"#)
      case 18: ("/mode", number(2) == 0 ? #""rest""# : #"{"work":\#(number(4))}"#)
      default:
        (
          "/",
          number(3) == 0 ? #""reset""# : number(3) == 0 ? #""clear""# : #"{"fan":\#(number(9))}"#
        )
      }
    return (Path(path)!, Array(payload.utf8))
  }

  package func outcome(
    of operation: String, input: Bytes, using generator: inout SeededGenerator
  ) -> SimulatedOutcome {
    let draw = Int.random(in: 0..<100, using: &generator)
    switch operation {
    case "Lookup":
      return draw < 20
        ? SimulatedOutcome(outputs: [], fails: true)
        : SimulatedOutcome(outputs: [Array("\"fact \(draw)\"".utf8)])
    default:
      return SimulatedOutcome(
        outputs: (0..<(2 + draw % 4)).map { Array("\($0 + draw)".utf8) }, fails: draw < 10,
        isSingle: false)
    }
  }
}
