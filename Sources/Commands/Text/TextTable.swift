import Platform

/// Columns that are as wide as their widest cell; numbers stand right.
package struct TextTable: Sendable {
  package struct Column: Sendable {
    var title: String
    var isRight: Bool

    package static func left(_ title: String) -> Column { Column(title: title, isRight: false) }
    package static func right(_ title: String) -> Column { Column(title: title, isRight: true) }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  package init(_ columns: [Column]) { self.columns = columns }

  package mutating func add(_ cells: [String]) { rows.append(cells.map(\.printable)) }

  package func text(withHeader: Bool) -> String {
    let lines = (withHeader ? [columns.map(\.title)] : []) + rows
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      var text = columns.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - line[column].count)
        return columns[column].isRight ? space + line[column] : line[column] + space
      }.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }.joined()
  }
}
