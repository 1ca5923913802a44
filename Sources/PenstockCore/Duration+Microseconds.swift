extension Duration {
  /// Whole microseconds, rounded towards zero. Traps beyond 292,000 years.
  package var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
