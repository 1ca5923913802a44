public import Penstock

/// How a target is watched. Times are milliseconds.
@JSONCodable
public struct ProbeSettings {
  public var interval: Int64 = 5000
  public var timeout: Int64 = 2000
  public var expectedStatus: Int = 200
  /// Must stand in the answer's body.
  public var expectedText: String? = nil
  /// Consecutive failures until a target is down.
  public var failuresUntilDown: Int = 3

  public init() {}
}
