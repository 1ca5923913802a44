import Machines
import Testing

/// The deque does as an array does, whatever is done to it in whatever order.
struct DequeTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `does as an array`(seed: UInt64) {
    var draws = Draws(state: seed)
    var deque = Deque<Int>()
    var array: [Int] = []
    for step in 0..<2_000 {
      // Grows in one half of the time, shrinks in the other.
      let isGrowing = step / 250 % 2 == 0
      switch draws.below(isGrowing ? 12 : 20) {
      case 0..<8:
        deque.append(step)
        array.append(step)
      case 8:
        let index = draws.below(array.count + 1)
        deque.insert(step, at: index)
        array.insert(step, at: index)
      case 9:
        let modulus = 2 + draws.below(9)
        if draws.below(8) > 0 { continue }
        deque.removeAll { $0 % modulus == 0 }
        array.removeAll { $0 % modulus == 0 }
      case 10 where draws.below(20) == 0:
        deque.removeAll()
        array.removeAll()
      case _ where array.isEmpty: break
      case 10, 11:
        let index = draws.below(array.count)
        deque[index] += 1
        array[index] += 1
      case 12:
        let number = draws.below(min(array.count, 20) + 1)
        deque.removeFirst(number)
        array.removeFirst(number)
      case 13:
        deque.removeLast()
        array.removeLast()
      case 14:
        let index = draws.below(array.count)
        deque.remove(at: index)
        array.remove(at: index)
      case 15:
        let last = array[array.count - 1]
        deque.truncate { $0 != last }
        while array.last == last { array.removeLast() }
      default:
        #expect(deque.removeFirst() == array.removeFirst())
      }
      #expect(deque.count == array.count && deque.isEmpty == array.isEmpty)
      #expect(deque.first == array.first && deque.last == array.last)
    }
    #expect(Array(deque) == array)
    #expect(deque.indices.map { deque[$0] } == array)
    #expect(deque.firstIndex { $0 > 1_000 } == array.firstIndex { $0 > 1_000 })
  }

  @Test func `what is removed is let go of, and so is a large storage that is empty`() {
    final class Token {}
    var deque = Deque<Token>()
    weak var first: Token?
    for number in 0..<10_000 {
      let token = Token()
      if number == 0 { first = token }
      deque.append(token)
    }
    #expect(first != nil)
    _ = deque.removeFirst()
    #expect(first == nil)
    weak let last = deque.last
    deque.removeFirst(deque.count)
    #expect(last == nil)
    deque.append(Token())
    #expect(deque.count == 1)
  }
}

/// splitmix64.
private struct Draws {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(bound))
  }
}
