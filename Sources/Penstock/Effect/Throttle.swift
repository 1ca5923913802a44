/// When an effect that is throttled ran last: a field of the feature's state.
public struct Throttle: JSONCodable, Codable, Hashable, Sendable {
  /// When it ran last, in order time.
  var last: Int64?
  /// When what waits will run.
  var pending: Int64?

  public init() {}

  enum Turn: Equatable { case now, later(Int64), never }

  mutating func next(at now: Int64, interval: Int64, latest: Bool) -> Turn {
    if let due = pending, due <= now { (last, pending) = (due, nil) }
    guard let last, now < last + interval else {
      self.last = now
      return .now
    }
    if pending != nil, !latest { return .never }
    pending = last + interval
    return .later(last + interval - now)
  }

  public func encode(to writer: inout JSONWriter) {
    writer.raw("{\"last\":")
    last.encode(to: &writer)
    writer.raw(",\"pending\":")
    pending.encode(to: &writer)
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while try reader.nextMember() {
      if reader.isKey("last") {
        last = try Int64?(from: &reader)
      } else if reader.isKey("pending") {
        pending = try Int64?(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
  }

  public static func shape(into shape: inout JSONShape) { shape.append("throttle") }
}
