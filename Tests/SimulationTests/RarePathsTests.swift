import Machines
import Testing

@Suite struct RarePathsTests {
  @Test func `what was reached is counted, what was not is named`() {
    var paths = RarePaths()
    paths.reach(.poison)
    var others = RarePaths()
    others.reach(.poison)
    others.reach(.misfit)
    paths.add(others)
    #expect(paths[.poison] == 2)
    #expect(paths[.misfit] == 1)
    #expect(paths[.runaway] == 0)
    #expect(paths.missed.count == RarePath.allCases.count - 2)
    #expect(!paths.missed.contains(.misfit))
  }

  @Test func `each rare path has a name of its own`() {
    #expect(Set(RarePath.allCases.map(\.rawValue)).count == RarePath.allCases.count)
  }
}
