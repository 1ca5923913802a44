@testable import PenstockCore
import Testing

/// A chunked array is an array; only its copies cost less.
@Suite struct ChunkedArrayTests {
  private var generator = SystemRandomNumberGenerator()

  private func filled(_ count: Int) -> ChunkedArray<Int> {
    var array = ChunkedArray<Int>()
    for number in 0..<count { array.append(number) }
    return array
  }

  @Test(arguments: [0, 1, 31, 32, 33, 1_000, 1_024, 1_025, 2_100])
  mutating func `it does what an array does`(count: Int) {
    var array = filled(count)
    var model = Array(0..<count)
    for number in 0..<500 {
      let copy = (array, model)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let index = Int.random(in: 0...model.count, using: &generator)
        array.insert(-number, at: index)
        model.insert(-number, at: index)
      case 1 where !model.isEmpty:
        let index = Int.random(in: 0..<model.count, using: &generator)
        #expect(array.remove(at: index) == model.remove(at: index))
      case 2 where !model.isEmpty:
        let index = Int.random(in: 0..<model.count, using: &generator)
        array[index] += 1_000
        model[index] += 1_000
      default:
        array.append(number)
        model.append(number)
      }
      #expect(array.elements == model && Array(array) == model && array.count == model.count)
      // A copy from before is not touched.
      #expect(copy.0.elements == copy.1)
    }
  }

  @Test func `it can be emptied`() {
    var array = filled(600)
    array.removeAll()
    #expect(array.isEmpty && array == ChunkedArray())
    array.append(1)
    #expect(array.elements == [1])
  }

  @Test func `equal elements make equal arrays, whatever happened before`() {
    var array = filled(700)
    for _ in 0..<300 { array.remove(at: 100) }
    var other = ChunkedArray<Int>()
    for number in Array(0..<100) + Array(400..<700) { other.append(number) }
    #expect(array == other && array.hashValue == other.hashValue)
    other[399] = 0
    #expect(array != other)
  }

  @Test func `differences are where elements differ, in what both have`() {
    let old = filled(600)
    var new = old
    #expect(new.differences(from: old) == [])
    for index in [3, 31, 32, 599] { new[index] = -1 }
    new.append(600)
    #expect(new.differences(from: old) == [3, 31, 32, 599])
    #expect(old.differences(from: new) == [3, 31, 32, 599])
  }
}
