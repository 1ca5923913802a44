import Machines
import PenstockCore

/// `penstock state`: one cut of the state, or one after the other.
struct StateCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run(_ connection: RouterConnection) throws -> Int32 {
    let path = try CommandPath.read(invocation.words.first ?? "/")
    let duration = try invocation.duration("for")
    guard duration == nil || invocation.has("watch") else {
      throw CommandFailure(.usage, "PS-A21", "--for is the time of --watch", "Add --watch")
    }
    let id = connection.subscribe(path)
    guard invocation.has("watch") else {
      let (_, state) = try next(of: id, connection)
      guard let state else {
        throw CommandFailure(
          .negative, "PS-N01", "nothing is mounted at \(path)", "See: penstock state")
      }
      try output.write((invocation.isJSON ? state.compact : state.pretty()) + "\n")
      return 0
    }
    return try watch(id, duration, connection)
  }

  private func watch(
    _ id: UInt32, _ duration: Duration?, _ connection: RouterConnection
  ) throws -> Int32 {
    var last: JSONValue?
    connection.presence = RouterPresence(connection.directory, output)
    do {
      while true {
        let (sequence, state) = try next(of: id, connection)
        // The first answer has a deadline, changes come when they come.
        if last == nil {
          connection.deadline = .max
          if let duration { connection.allow(duration) }
        }
        let value = state ?? .null
        // The router says how far the state is known, changed or not.
        if value == last { continue }
        if invocation.isJSON {
          try output.write("{\"v\":1,\"seq\":\(sequence),\"state\":\(value.compact)}\n")
        } else if let last {
          for line in StateChanges.lines(from: last, to: value) {
            try output.write("\(sequence)  \(line)\n")
          }
        } else {
          output.remark("as of \(sequence):\n")
          try output.write(value.pretty() + "\n")
        }
        last = value
      }
    } catch let failure as CommandFailure where failure == .interrupted {
      return 0
    } catch let failure as CommandFailure
      where failure.code == RouterConnection.timedOutCode && last != nil
    {
      return 0
    }
  }

  private func next(
    of id: UInt32, _ connection: RouterConnection
  ) throws -> (UInt64, JSONValue?) {
    while true {
      guard case .state(id, let sequence, let bytes) = try connection.next() else { continue }
      do {
        return (sequence, try bytes.map { try JSONValue($0) })
      } catch {
        throw CommandFailure(.mismatch, "PS-C10", "the router's state is no JSON: \(error)")
      }
    }
  }
}
