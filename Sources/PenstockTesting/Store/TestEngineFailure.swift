/// An engine can't go on, or can't do what is asked; a sentence or several.
package struct TestEngineFailure: Error, Hashable {
  package var text: String

  package init(_ text: String) { self.text = text }
}
