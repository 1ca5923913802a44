package import Testing

/// A line of a test.
package struct Place: Hashable, Sendable {
  package var fileID: String
  package var filePath: String
  package var line: Int
  package var column: Int

  package var sourceLocation: SourceLocation {
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
