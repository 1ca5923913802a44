package import Simulation

extension SeededGenerator {
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
