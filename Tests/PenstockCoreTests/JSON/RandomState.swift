import PenstockCore
import Simulation

extension TestState {
  /// Changes some members at random; names contain what has to be escaped.
  mutating func mutate(using random: inout SeededGenerator) {
    let texts = ["", "a", "b\"c", "d\\e", "ü\n", "f/g", "\u{1}", "日本"]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let text = texts.randomElement(using: &random)!
      switch Int.random(in: 0..<12, using: &random) {
      case 0: number = Int.random(in: -1000...1000, using: &random)
      case 1: name = Bool.random(using: &random) ? text : nil
      case 2: rows.append(TestRow(id: text, count: number))
      case 3:
        if !rows.isEmpty {
          rows.insert(
            TestRow(id: text + "x"), at: Int.random(in: 0...rows.count, using: &random))
        }
      case 4:
        if !rows.isEmpty { rows.remove(at: Int.random(in: 0..<rows.count, using: &random)) }
      case 5, 6:
        if !rows.isEmpty {
          rows.move(
            from: Int.random(in: 0..<rows.count, using: &random),
            to: Int.random(in: 0..<rows.count, using: &random))
        }
      case 7: rows.update(id: text) { $0.count += 1 }
      case 8: row = Bool.random(using: &random) ? TestRow(id: text) : nil
      case 9: row?.count += 1
      case 10:
        kind = [.none, .row(TestRow(id: text, count: number)), .pair(number, label: text)]
          .randomElement(using: &random)!
      default: nested = [nil, .some(nil), .some(3)].randomElement(using: &random)!
      }
    }
  }
}
