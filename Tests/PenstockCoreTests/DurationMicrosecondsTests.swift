import PenstockCore
import Testing

@Suite struct DurationMicrosecondsTests {
  private static let samples: [(Duration, Int64)] = [
    (.zero, 0), (.nanoseconds(999), 0), (.nanoseconds(1_999), 1),
    (.milliseconds(1_500), 1_500_000), (.seconds(-5), -5_000_000), (.nanoseconds(-1_999), -1),
    (.seconds(9_000_000_000_000), 9_000_000_000_000_000_000),
  ]

  @Test(arguments: samples)
  func `a duration is whole microseconds, rounded towards zero`(duration: Duration, count: Int64) {
    #expect(duration.microseconds == count)
  }
}
