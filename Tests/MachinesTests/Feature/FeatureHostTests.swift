import Machines
import PenstockCore
import Testing
import Wire

@Suite("FeatureHost")
struct FeatureHostTests {
  let program = SequencesProgram()
  let epoch = Epoch(start: 1, squash: 0)

  func host(retired: UInt64 = 0) -> FeatureHost {
    var host = FeatureHost(program: program)
    #expect(host.handle(.reset(sequence: 0, epoch: epoch, state: Array("[]".utf8))).isEmpty)
    #expect(host.handle(.retired(sequence: retired)).isEmpty)
    return host
  }

  func reduce(
    _ sequences: ClosedRange<UInt64>, _ host: inout FeatureHost,
    isReplay: Bool = false
  ) {
    for sequence in sequences {
      _ = host.handle(
        .work(
          Work(
            sequence: sequence, epoch: epoch, path: .root, payload: [], now: 0, seed: 0,
            wantsPatch: false, isReplay: isReplay)))
    }
  }

  func sequences(_ host: inout FeatureHost) throws -> [UInt64] {
    let marker = Marker(id: 1, sequence: host.position, epoch: epoch, since: nil)
    let outputs = host.handle(.marker(marker))
    guard case .send(.markerAnswer(let answer))? = outputs.first,
      case .snapshot(let bytes?) = answer.body
    else {
      Issue.record("a marker was answered by \(outputs)")
      return []
    }
    return try JSONReader.decode(from: bytes)
  }

  @Test("what has retired before it is caught up leaves nothing to go back to")
  func catchesUp() throws {
    var host = host(retired: 1000)
    reduce(1...1000, &host, isReplay: true)
    #expect(program.living == 1)
    reduce(1001...1008, &host, isReplay: true)
    #expect(program.living == 2)
    #expect(try sequences(&host) == Array(1...1008))
  }

  @Test("states that are kept grow with the logarithm of what can be rolled back (R10)")
  func keepsFewStates() {
    var host = host()
    reduce(1...2000, &host)
    #expect(program.living > 4)
    #expect(program.living < 20)
  }

  @Test("every sequence above the retired one can be rolled back to (R4, N-2)")
  func rollsBack() throws {
    for target in UInt64(40)...330 {
      var host = host(retired: 20)
      reduce(1...300, &host)
      _ = host.handle(.retired(sequence: 40))
      reduce(301...330, &host)
      _ = host.handle(.squash(epoch: epoch, sequence: target))
      reduce(400...420, &host)
      #expect(try sequences(&host) == Array(1...target) + Array(400...420))
    }
  }

  @Test("when everything has retired only the state is left (N-4)")
  func retiresEverything() throws {
    var host = host()
    reduce(1...100, &host)
    _ = host.handle(.retired(sequence: 100))
    #expect(program.living == 1)
    _ = host.handle(.squash(epoch: epoch, sequence: 100))
    reduce(101...101, &host)
    #expect(try sequences(&host) == Array(1...101))
  }
}
