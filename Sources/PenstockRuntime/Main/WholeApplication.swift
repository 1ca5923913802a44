import Glibc
import Penstock
import PenstockCore
import Platform
import Processes

/// The whole application in one process: the same loops as in many, each in a thread, on the same
/// socket, so every tool works as usual.
struct WholeApplication<App: PenstockApp> {
  let application: Application<App>
  let router: RouterProcess.Options
  let worker: WorkerProcess.Options
  let supervision: Supervision

  private enum Event: Sendable {
    case ready
    case ended(String, ExitCode)
  }

  /// One of the loops in its thread.
  private struct Part {
    let name: String
    let supervision: Supervision
    let thread: OwnedThread

    init(
      _ name: String, _ events: Inbox<Event>,
      _ body: @escaping @Sendable (Supervision) -> ExitCode
    ) {
      let supervision = Supervision(ready: { events.put(.ready) })
      self.name = name
      self.supervision = supervision
      thread = OwnedThread(name: name) { events.put(.ended(name, body(supervision))) }
    }
  }

  /// Runs until somebody asks it to stop, or one of the parts ends.
  func run() -> ExitCode {
    let events = Inbox<Event>()
    let parts = start(events)
    var ready = 0
    var ends: [String: ExitCode] = [:]
    while ends.isEmpty {
      var watched = [
        pollfd(fd: supervision.signalDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: events.fileDescriptor, events: Int16(POLLIN), revents: 0),
      ]
      poll(&watched, nfds_t(watched.count), -1)
      if supervision.takeSignal() != nil { break }
      for event in events.take() {
        switch event {
        case .ready: ready += 1
        case .ended(let name, let code): ends[name] = code
        }
      }
      if ready == parts.count { supervision.announceReady() }
    }
    // Workers first: what they finish is still taken. Then the router, which needs the feature for a
    // checkpoint at the head.
    for part in parts.reversed() {
      part.supervision.requestStop(SIGTERM)
      part.thread.join()
      for case .ended(let name, let code) in events.take() { ends[name] = code }
    }
    return ends.values.first { $0 != .done } ?? .done
  }

  private func start(_ events: Inbox<Event>) -> [Part] {
    let (application, router, worker) = (application, router, worker)
    return [
      Part("/", events) {
        FeatureProcess.run(
          FeatureProcess.Options(directory: router.directory, path: .root, placement: []),
          application: application, supervision: $0, log: Log(name: "/"))
      },
      Part("router", events) {
        RouterProcess.run(router, supervision: $0, log: Log(name: "router"))
      },
      Part("worker", events) {
        WorkerProcess.run(
          worker, description: application.description, operations: application.operations,
          supervision: $0, log: Log(name: worker.name))
      },
    ]
  }
}
