/// One seed as commands and tests run it.
package struct SimulatedRun: Sendable {
  package var options: SimulationOptions
  package var application: any SimulatedApplication

  package init(options: SimulationOptions, application: any SimulatedApplication) {
    self.options = options
    self.application = application
  }

  /// Every sixteenth seed runs twice, with a listening tap and without one: the journal has to be the
  /// same, byte for byte.
  package func report() -> SimulationReport {
    var report = Simulator(options: options, application: application).run()
    guard report.violation == nil, options.comparesTaps, options.isTapped == nil else {
      return report
    }
    var journals: [UInt64] = []
    for isTapped in [true, false] {
      var options = options
      options.isTapped = isTapped
      options.trace = nil
      journals.append(Simulator(options: options, application: application).run().journal)
    }
    if journals[0] != journals[1] {
      report.violation = Violation(
        .tapChangesNothing, "with a tap the journal is another one than without")
    }
    return report
  }
}
