/// A reader under test whose owner is not part of what is tested.
package struct UnsharedValue: Error, CustomStringConvertible {
  package var path: Path
  package var name: SharedName

  package var description: String {
    """
    \(path) reads \(name), and what is tested has no such feature. Say what it reads: \
    store.inputs.share(VALUE, as: SHARED), before the action. Or test it together with its owner.
    """
  }
}
