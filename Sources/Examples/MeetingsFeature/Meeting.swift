public import Penstock

/// A meeting as it is kept.
@JSONCodable
public struct Meeting: Identifiable {
  public var id: Int
  public var title: String
  public var attendees: [String] = []
  /// Seconds that it may take.
  public var duration = 60
  public var notes: [Note] = []
}

/// What was said in a meeting, and when in seconds since 1970.
@JSONCodable
public struct Note: Identifiable {
  public var id: Int
  public var time: Int64
  public var transcript: [String]
}
