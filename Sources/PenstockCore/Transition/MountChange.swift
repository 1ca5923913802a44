/// A dynamic mount (optional, case, element) whose identity a stage changed. `nil` is "not mounted".
///
/// A transition lists them by level, lowest first, and within a level by path; a path may occur more
/// than once. Over all stages of a record the first `before` and the last `after` count. What lies
/// below a mount that changed is listed too and is mounted anew, even with the same identity.
public struct MountChange: Hashable, Sendable {
  public var path: Path
  public var before: String?
  public var after: String?

  public init(path: Path, before: String?, after: String?) {
    self.path = path
    self.before = before
    self.after = after
  }
}
