/// A state that is over after its first action, as an alert is: it becomes nil by itself, unless
/// its parent sets another one.
public protocol EphemeralState: JSONCodable {
  var isEphemeral: Bool { get }
}
