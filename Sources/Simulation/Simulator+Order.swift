import Machines
import PenstockCore
import Wire

/// What the order must be like whatever the application is.
extension Simulator {
  func checkNumbers(_ order: [OrderRecord]) {
    var seeds: Set<UInt64> = []
    var sequence: UInt64 = 0
    for case .record(let record) in disk.durable {
      if record.sequence != sequence {
        return fail(.noGaps, "\(record.sequence) stands where \(sequence) should")
      }
      sequence += 1
    }
    for (index, record) in order.enumerated() {
      if index > 0, record.now < order[index - 1].now {
        fail(.timeGoesForward, "record \(record.sequence) is earlier than the one before it")
      }
      if !seeds.insert(record.seed).inserted {
        fail(.ownRandomness, "record \(record.sequence) has the seed of another")
      }
      checkBeginning(record, order)
      checkTold(record)
    }
  }

  /// A record belongs to the client's action at which everything began.
  private func checkBeginning(_ record: OrderRecord, _ order: [OrderRecord]) {
    let expected: UInt64 =
      if let cause = record.origin.cause {
        cause < record.sequence ? order[Int(cause)].correlation : .max
      } else {
        record.sequence
      }
    if record.correlation != expected {
      fail(
        .causesAreTold,
        "\(record.sequence) from \(record.origin) belongs to \(record.correlation), "
          + "not \(expected)")
    }
  }

  /// Features hear from which record and from which client's action their work follows. What an
  /// earlier start told may have been lost, and its number given again.
  private func checkTold(_ record: OrderRecord) {
    guard let told = evidence.told[record.sequence], told.start == router?.machine.start else {
      return
    }
    if told.cause != record.origin.cause ?? 0 || told.correlation != record.correlation {
      fail(
        .causesAreTold,
        "a feature was told that \(record.sequence) follows from \(told.cause) and "
          + "\(told.correlation), not from \(record.origin) and \(record.correlation)")
    }
  }

  func checkOrigins(_ order: [OrderRecord]) {
    var outputs: Set<Output> = []
    var ticks: Set<Tick> = []
    for record in order {
      switch record.origin {
      case .output(let effect, let index, _):
        report.outputs += 1
        guard record.mark == nil else { continue }
        if !outputs.insert(Output(effect: effect, index: index)).inserted {
          fail(.outputsOnce, "output \(index) of \(effect) is in the order twice")
        }
        checkOutput(record, effect, index)
      case .send: report.sends += 1
      case .timer(let effect, let due):
        if record.now < due {
          fail(.timersAreDue, "timer \(effect) fired early, at \(record.sequence)")
        }
        guard record.mark == nil else { continue }
        if !ticks.insert(Tick(timer: effect, due: due)).inserted {
          fail(.timersAreDue, "the tick of \(effect) that was due at \(due) came twice")
        }
      case .initial, .client, .end, .retry: break
      }
    }
  }

  private struct Tick: Hashable {
    var timer: EffectID
    var due: Int64
  }

  private struct Output: Hashable {
    var effect: EffectID
    var index: UInt32
  }

  /// The simulation knows what each operation gives.
  private func checkOutput(_ record: OrderRecord, _ effect: EffectID, _ index: UInt32) {
    guard let run = evidence.assigned[effect] else {
      return fail(.outputsAreTheirOwn, "\(effect) has an output and was never handed out")
    }
    let outcome = outcome(of: effect, run.operation, run.input)
    if Int(index) < outcome.outputs.count, record.payload.isWrapping(outcome.outputs[Int(index)]) {
      return
    }
    let codes =
      [
        EffectFailure.timeout, EffectFailure.heartbeatTimeout, EffectFailure.workerLost,
        SimulatedOutcome.retryable,
      ] + (outcome.fails && Int(index) == outcome.outputs.count ? ["error"] : [])
    let text = record.payload.text
    if !codes.contains(where: { text.contains("\"failure\":{\"code\":\"\($0)\"") }) {
      fail(
        .outputsAreTheirOwn,
        "output \(index) of \(effect), \(run.operation) of \(run.input.text), is \(text)")
    }
  }

  func checkClients(_ order: [OrderRecord]) {
    var numbered: Set<Evidence.ClientAction> = []
    for record in order {
      guard case .client(let session, let sequence) = record.origin else { continue }
      let action = Evidence.ClientAction(session: session, sequence: sequence)
      if !numbered.insert(action).inserted {
        fail(.acknowledgedOnce, "action \(action) is in the order twice")
      }
    }
    for (action, status) in evidence.acknowledged {
      guard let sequence = status.sequence, sequence < UInt64(order.count),
        case .client(action.session, action.sequence) = order[Int(sequence)].origin
      else {
        return fail(.acknowledgedOnce, "action \(action) was told \(status) and is not there")
      }
    }
    for index in peers.indices { checkTickets(index, order) }
  }

  private func checkTickets(_ index: Int, _ order: [OrderRecord]) {
    var last: UInt64 = 0
    for (ticket, submitted) in evidence.submitted[index].sorted(by: { $0.key < $1.key }) {
      guard let sequence = submitted.outcome?.sequence, sequence < UInt64(order.count) else {
        continue
      }
      if sequence <= last {
        fail(
          .keepsClientsOrder,
          "\(name(of: index))'s action \(ticket) is at \(sequence), one before it at \(last)")
      }
      last = sequence
      let record = order[Int(sequence)]
      let sent = program.description.canonical(submitted.path, submitted.payload)
      guard let sent, sent.path == record.path, sent.payload == record.payload,
        case .client(submitted.session, _) = record.origin
      else {
        return fail(
          .appliesWhatWasSent,
          "\(name(of: index)) sent \(submitted.path) \(submitted.payload.text), at \(sequence) is "
            + "\(record.path) \(record.payload.text)")
      }
    }
  }
}

extension ClientOutcome.Status {
  /// The number that the action got.
  var sequence: UInt64? {
    switch self {
    case .committed(let sequence, _), .void(let sequence, _): sequence
    case .refused: nil
    }
  }
}

extension Bytes {
  /// Whether these are cases around the value: `{"a":{"b":VALUE}}`.
  fileprivate func isWrapping(_ value: Bytes) -> Bool {
    var rest = self[...]
    while rest.last == UInt8(ascii: "}") {
      rest = rest.dropLast()
      if rest.count > value.count, rest.suffix(value.count).elementsEqual(value),
        rest.dropLast(value.count).last == UInt8(ascii: ":")
      {
        return true
      }
    }
    return false
  }
}
