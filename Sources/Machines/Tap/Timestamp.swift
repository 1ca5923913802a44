/// Order time (microseconds since 1970) as people and other programs read it.
package struct Timestamp: Hashable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// `2026-11-30T14:02:07.361204Z`
  package var rfc3339: String {
    let (days, rest) = microseconds.quotientAndRemainderFloored(by: 86_400_000_000)
    let (year, month, day) = Timestamp.civil(days: days)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + timeOfDay(microseconds: rest, digits: 6) + "Z"
  }

  /// `14:02:07.361`, in UTC.
  package var clock: String {
    let (_, rest) = microseconds.quotientAndRemainderFloored(by: 86_400_000_000)
    return timeOfDay(microseconds: rest, digits: 3)
  }

  private func timeOfDay(microseconds: Int64, digits: Int) -> String {
    let seconds = microseconds / 1_000_000
    let fraction = padded(microseconds % 1_000_000, 6).prefix(digits)
    return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
      + ".\(fraction)"
  }

  /// The proleptic Gregorian date; years are counted from March, so that a leap day ends its year.
  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).quotientAndRemainderFloored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
  }
}

private func padded(_ value: Int64, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Int64 {
  fileprivate func quotientAndRemainderFloored(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
