/// Numbers as people read them.
package enum Quantity {
  /// `412µs`, `4.1ms`, `43ms`, `1.2s`, `2m05s`, `3h12m`, `5d02h`
  package static func duration(microseconds: Int64) -> String {
    let value = Double(microseconds)
    switch microseconds {
    case ..<1000: return "\(microseconds)µs"
    case ..<9_950: return "\(oneDecimal(value / 1e3))ms"
    case ..<999_500: return "\(Int64((value / 1e3).rounded()))ms"
    case ..<59_950_000: return "\(oneDecimal(value / 1e6))s"
    default:
      let seconds = microseconds / 1_000_000
      if seconds < 3600 { return "\(seconds / 60)m\(twoDigits(seconds % 60))s" }
      if seconds < 86_400 { return "\(seconds / 3600)h\(twoDigits(seconds / 60 % 60))m" }
      return "\(seconds / 86_400)d\(twoDigits(seconds / 3600 % 24))h"
    }
  }

  /// `412 B`, `4.1 kB`, `43.0 MB`, `8.0 GB`
  package static func bytes(_ count: Int64) -> String {
    for (size, unit) in [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")] where Double(count) >= size {
      return "\(oneDecimal(Double(count) / size)) \(unit)"
    }
    return "\(count) B"
  }

  private static func oneDecimal(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// `1 record`, `2 records`
  package static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
