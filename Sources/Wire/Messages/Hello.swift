package import PenstockCore

/// The first message on every link.
package struct Hello: Hashable, Sendable {
  package var role: Role
  /// A person's name for the peer: `web-1`, `worker-3`, or a feature's path.
  package var name: String
  /// A client's session (kept over reconnects), or the incarnation of a feature or worker.
  package var session: UInt64
  package var processID: UInt32
  package var application: String
  package var build: String
  package var schemaHash: UInt64
  /// The application's description as JSON; from features and workers.
  package var description: Bytes
  /// A worker's queues and slots, and what it still runs.
  package var queues: [String]
  package var slots: UInt32
  package var running: [RunningEffect]

  package init(
    role: Role, name: String, session: UInt64, processID: UInt32 = 0, application: String = "",
    build: String = "", schemaHash: UInt64 = 0, description: Bytes = [], queues: [String] = [],
    slots: UInt32 = 0, running: [RunningEffect] = []
  ) {
    self.role = role
    self.name = name
    self.session = session
    self.processID = processID
    self.application = application
    self.build = build
    self.schemaHash = schemaHash
    self.description = description
    self.queues = queues
    self.slots = slots
    self.running = running
  }
}
