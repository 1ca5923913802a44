/// (declared name, canonical value). It belongs to the path of the reducer that used it.
public struct CancelID: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
