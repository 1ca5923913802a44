/// Texts of the test store for other engines.
package enum TestText {
  /// Lines that begin with − (expected) or + (actual).
  package static func difference(expected: Any, actual: Any) -> String {
    Difference(expected: expected, actual: actual).text
  }
}
