extension ReducerInputs {
  /// Order time as microseconds since 1970, for features that keep instants as numbers.
  public var microseconds: Int64 { TransitionInputs.required.now }
}
