import Penstock
import Simulation

extension Tree.Action {
  static func random(using random: inout SeededGenerator) -> Tree.Action {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: .resetAll
    case 1: .dropGuest
    case 2: .inviteGuest
    case 3: .burst(Int.random(in: 1...4, using: &random))
    case 4: .roll
    case 5..<9: .a(.random(using: &random))
    case 9..<13: .a(.b(.random(using: &random)))
    case 13..<16: .a(.c(.random(using: &random)))
    default: .list(.random(using: &random))
    }
  }
}

extension Branch.Action {
  static func random(using random: inout SeededGenerator) -> Branch.Action {
    let number = Int.random(in: -1...4, using: &random)
    return [
      .present, .present, .dismiss, .replace, .refresh, .poke, .silence, .workForChild(number),
    ].randomElement(using: &random) ?? .present
  }
}

extension Leaf.Action {
  static func random(using random: inout SeededGenerator) -> Leaf.Action {
    let number = Int.random(in: -1...4, using: &random)
    return [
      .increment, .chain(abs(number)), .work(number), .startTimer, .stopTimer, .later, .reset,
      .phase(.toggle), .phase(.idle(.wait)), .phase(.running(.step)), .phase(.running(.auto)),
    ].randomElement(using: &random) ?? .increment
  }
}

extension Guest.Action {
  static func random(using random: inout SeededGenerator) -> Guest.Action {
    [
      .bump, .startTimer, .count(Int.random(in: 1...4, using: &random)), .close, .showDetail,
      .hideDetail, .detail(.step), .detail(.begin),
    ].randomElement(using: &random) ?? .bump
  }
}

extension RowList.Action {
  static func random(using random: inout SeededGenerator) -> RowList.Action {
    let number = Int.random(in: -1...4, using: &random)
    let id = "r/\(Int.random(in: 0..<7, using: &random))"
    let row: RowList.Row.Action =
      [
        .increment, .load(number), .watch, .removeMe, .toggleNote, .note(.edit), .note(.autosave),
      ].randomElement(using: &random) ?? .increment
    return [
      .add, .add, .moveLast, .removeFirst,
      Int.random(in: 0..<5, using: &random) == 0 ? .clear : .add,
      .rows(.element(id: id, action: row)), .rows(.element(id: id, action: row)),
      .rows(.element(id: id, action: row)), .rows(.element(id: id, action: row)),
    ].randomElement(using: &random) ?? .add
  }
}
