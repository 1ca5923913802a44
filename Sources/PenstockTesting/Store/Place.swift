package import Testing

/// A line of a test.
package struct Place: Hashable, Sendable {
  package var fileID: String
  package var filePath: String
  package var line: Int
  package var column: Int

  package init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  package var sourceLocation: SourceLocation {
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
