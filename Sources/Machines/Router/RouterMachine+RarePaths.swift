extension RouterMachine {
  /// The rare paths that this start reached, in all its machines.
  package var rarePaths: RarePaths {
    var paths = rare
    if let sequencer { paths.add(sequencer.rare) }
    paths.add(scheduler.rare)
    paths.add(timers.rare)
    return paths
  }
}
