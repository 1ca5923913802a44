public import Penstock

/// What a device does when it is connected. The live one is simulated: a name that ends in a number
/// fails for as many tries, then gives readings and is lost.
public struct DeviceDriver: DependencyKey {
  public var events: @Sendable (_ name: String, _ attempt: Int) -> [DeviceEvent]

  public init(events: @escaping @Sendable (String, Int) -> [DeviceEvent]) { self.events = events }

  public static let liveValue = DeviceDriver { name, attempt in
    let failures = name.last?.wholeNumberValue ?? 0
    if attempt <= failures { return [.lost("no answer to try \(attempt)")] }
    return [.connected] + (1...5).map { .reading($0 * attempt) } + [.lost("out of reach")]
  }
}
