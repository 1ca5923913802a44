import CSystem
import Glibc
package import Machines
package import PenstockCore
package import Platform
package import SQLiteJournal
import Wire
package import ZeroMQ

/// The process that gives actions their order: one thread with the peers' socket, the tap's and the
/// journal's reports.
package enum RouterProcess {
  package struct Options: Sendable {
    package var directory: RunDirectory
    package var application: String
    package var journal: String
    /// Whether an order that the journal's file has is moved aside.
    package var isFresh = false
    package var durability = Durability.full
    package var retention = Retention.standard
    /// Whether records that another build reduced are reduced again.
    package var replaysWithNewCode = false
    package var placement: [Path] = []
    package var window: WindowPolicy?
    /// Another endpoint besides the socket in the run directory.
    package var endpoint: Endpoint?
    /// What stands for the wall clock, where a test moves the order's time: microseconds since 1970
    /// that never go back. Links and deadlines keep to the system's clock.
    package var orderTime: (@Sendable () -> Int64)?

    package init(directory: RunDirectory, application: String) {
      self.directory = directory
      self.application = application
      journal = directory.journal
    }

    /// What the clocks say now.
    fileprivate var reading: ClockReading {
      var reading = ClockReading.current
      if let orderTime {
        reading.wall = orderTime()
        reading.elapsed = reading.wall
      }
      return reading
    }
  }

  /// Messages that are taken from a socket before what they caused is sent.
  private static let burst = 256
  /// Microseconds after which what came in so far is dealt with.
  private static let longestTurn: Int64 = 2_000

  /// Runs until somebody asks it to stop, or it can't go on.
  package static func run(_ options: Options, supervision: Supervision, log: Log) -> ExitCode {
    do {
      try Context.raiseOpenFiles()
      // A path that no socket can have leaves no directory behind.
      _ = try Endpoint(path: options.directory.routerSocket)
      try options.directory.make()
      let lock = try FileLock(
        path: options.directory.routerLock, what: "a router in \(options.directory.path)",
        patience: 2_000_000)
      defer { withExtendedLifetime(lock.fileDescriptor) {} }
      return try run(options, supervision, log)
    } catch let error as TransportError {
      log.error(error.message)
      return .refused
    } catch let error as SystemError {
      log.error(error.message)
      return .refused
    } catch let error as JournalError {
      log.error(error.message, ["code": error.code.word])
      return error.code.isMismatch ? .mismatch : .refused
    } catch {
      log.error("\(error)")
      return .failed
    }
  }

  private static func run(
    _ options: Options, _ supervision: Supervision, _ log: Log
  ) throws -> ExitCode {
    let context = try Context()
    let peers = try Socket(.router, context: context)
    let taps = try Socket(.publisher, context: context)
    let reports = Inbox<JournalReport>()
    let journal = try SQLiteJournal(
      path: options.journal, application: options.application, durability: options.durability,
      isFresh: options.isFresh, retention: options.retention, reports: reports)
    if let old = journal.setAside { log.info("the journal was moved aside", ["file": old]) }
    defer { journal.close() }
    var clock = ListeningClock(startedAt: options.reading)
    var core = try makeCore(options, journal: journal, at: clock.read(options.reading), log: log)
    // Peers connect when everything that they need is there.
    try taps.bind(Endpoint(path: options.directory.tapSocket))
    try peers.bind(Endpoint(path: options.directory.routerSocket))
    defer {
      unlink(options.directory.routerSocket)
      unlink(options.directory.tapSocket)
    }
    if let endpoint = options.endpoint {
      log.info("listening", ["endpoint": "\(try peers.bind(endpoint))"])
    }
    supervision.announceReady()

    var poller = Poller()
    let peersIndex = poller.add(peers)
    let tapsIndex = poller.add(taps)
    let reportsIndex = poller.add(fileDescriptor: reports.fileDescriptor)
    let signalIndex = poller.add(fileDescriptor: supervision.signalDescriptor)
    var malformed = 0
    var isStopping = false
    while true {
      let wait = pollTime(until: core.nextDeadline, now: clock.read(options.reading).monotonic)
      try poller.wait(milliseconds: wait)
      let arrival = clock.read(options.reading, waited: wait)
      if poller.isReady(signalIndex), let signal = supervision.takeSignal() {
        log.info("stopping", ["signal": "\(signal)"])
        if isStopping { return .done }
        isStopping = true
        core.requestStop()
      }
      if poller.isReady(reportsIndex) {
        for report in reports.take() { core.receive(report) }
      }
      if poller.isReady(tapsIndex) {
        while try taps.receive(
          malformed: &malformed, into: &core,
          { core, frame in core.receiveSubscription(Bytes(frame)) })
        {}
      }
      if poller.isReady(peersIndex) {
        let began = SystemClock.monotonic
        for _ in 0..<burst {
          let isMessage = try peers.receive(malformed: &malformed, into: &core) {
            core, peer, frame in
            core.receive(frame, from: peer.bytes, at: arrival)
          }
          guard isMessage, SystemClock.monotonic - began < longestTurn else { break }
        }
      }
      core.malformed = malformed
      let frames = core.poll(at: clock.read(options.reading))
      if let (entries, ticket) = core.takeEntries() { journal.append(entries, ticket: ticket) }
      for frame in frames {
        // What can't be delivered is lost to the link, which sends it again or ends.
        guard let peer = RoutingID(frame.route) else { continue }
        _ = try peers.send(frame.frame, to: peer)
      }
      for frame in core.takePublished() { _ = try taps.send(frame) }
      if core.isStopPrepared { return .done }
      if let reason = core.stop {
        if let code = core.stopCode {
          log.error(reason, ["code": code])
        } else {
          log.error(reason)
        }
        return .failed
      }
    }
  }

  private static func makeCore(
    _ options: Options, journal: SQLiteJournal, at now: ClockReading, log: Log
  ) throws -> RouterCore {
    let contents = try journal.load()
    var configuration = RouterConfiguration()
    configuration.application = options.application
    configuration.placement = options.placement
    configuration.isDurable = options.durability == .full
    configuration.journal = absolutePath(options.journal)
    configuration.replaysWithNewCode = options.replaysWithNewCode
    configuration.processID = UInt32(getpid())
    configuration.sequencer.seed = penstock_random()
    if let window = options.window { configuration.sequencer.window = window }
    guard contents.lastStart < .max else {
      throw JournalError(
        .damaged,
        "the journal \(options.journal) is damaged: no start can follow its last one; restore the "
          + "file from a copy")
    }
    let start = contents.lastStart + 1
    log.info(
      "starting",
      [
        "start": "\(start)", "entries": "\(contents.entries.count)", "journal": options.journal,
      ])
    journal.append([.start(number: start, now: now.wall)], ticket: 0)
    return RouterCore(
      machine: try RouterMachine(
        configuration: configuration, start: start, entries: contents.entries,
        builds: contents.builds),
      links: LinkServer(
        incarnation: penstock_random(), settings: .processes, now: now.monotonic),
      watch: FeatureWatch(directory: options.directory, log: log), log: log)
  }
}
