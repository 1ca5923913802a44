/// An action that a transition sends, already addressed canonically.
public struct Send: Hashable, Sendable {
  public var path: Path
  public var payload: Bytes

  public init(path: Path, payload: Bytes) {
    self.path = path
    self.payload = payload
  }
}
