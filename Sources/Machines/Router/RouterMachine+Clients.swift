import PenstockCore
import Wire

extension RouterMachine {
  mutating func clientJoined(_ peer: PeerID, _ hello: Hello) {
    var session = sessions[hello.session] ?? Session(name: hello.name)
    if let old = session.peer, old != peer {
      refuse(old, .fenced, "a newer client has this session")
    }
    session.peer = peer
    session.awaySince = nil
    session.isOver = false
    session.name = hello.name
    // What was held came over the old link: the client sends it again.
    session.held.removeAll()
    sessions[hello.session] = session
    peers[peer] = .client(session: hello.session)
    send(
      peer,
      .welcome(
        Welcome(
          application: application, start: start, nextClientSequence: session.next,
          isDurable: configuration.isDurable)))
  }

  mutating func submitted(_ peer: PeerID, _ id: UInt64, _ submit: Submit) {
    guard var session = sessions.removeValue(forKey: id) else { return }
    defer { sessions[id] = session }
    let expected = session.next + UInt64(session.held.count)
    let isDuplicate = submit.clientSequence < expected
    if isDuplicate, !configuration.sequencer.faults.forgetsClientDeduplication {
      rare.reach(.duplicateSubmit)
      if let status = session.outcomes[submit.clientSequence] {
        send(peer, .outcome(ClientOutcome(clientSequence: submit.clientSequence, status: status)))
      }
      return
    }
    guard submit.clientSequence <= expected else {
      rare.reach(.refusedAfter)
      refuse(
        peer, submit, .afterRefusal, "action \(expected) of this session has to be sent first")
      return
    }
    guard session.held.count < configuration.heldPerSession else {
      rare.reach(.refusedOverloaded)
      refuse(peer, submit, .overloaded, "\(session.held.count) actions of this session wait")
      return
    }
    guard submit.generation == nil else {
      refuse(peer, submit, .unsupported, "this router does not compare generations (C-7) yet")
      return
    }
    session.held.append(submit)
    holding.insert(id)
  }

  /// Numbers what sessions wait to have numbered, as far as their features are up.
  mutating func admitHeld() {
    guard sequencer != nil, isReady else { return }
    for id in holding.sorted() { admitHeld(of: id) }
  }

  private mutating func admitHeld(of id: UInt64) {
    // Taken out while it changes: kept in the table too, each change would copy it.
    guard var session = sessions.removeValue(forKey: id) else {
      holding.remove(id)
      return
    }
    defer { sessions[id] = session }
    while let submit = session.held.first, sequencer!.canTakeMore(configuration.inFlightLimit) {
      guard let address = sequencer!.canonical(submit.path, submit.payload)
      else {
        refuseHeld(&session, .unknownPath, "no scope has the path \(submit.path)")
        break
      }
      switch sequencer!.availability(of: address.path, payload: address.payload) {
      case .down:
        rare.reach(.refusedUnavailable)
        refuseHeld(&session, .unavailable, "a feature that \(address.path) needs is down")
      case .up:
        _ = session.held.removeFirst()
        session.next = max(session.next, submit.clientSequence + 1)
        session.unsettled += 1
        sequencer!.admit(
          origin: .client(session: id, sequence: submit.clientSequence), path: address.path,
          payload: address.payload)
        continue
      case .absent, .restarting, .catchingUp:
        break
      }
      break
    }
    if session.held.isEmpty { holding.remove(id) }
  }

  /// Refuses the first held action, and with it those after it: the client's order stays.
  private mutating func refuseHeld(
    _ session: inout Session, _ code: ErrorCode, _ message: String
  ) {
    var code = code
    var message = message
    while !session.held.isEmpty {
      let submit = session.held.removeFirst()
      if let peer = session.peer { refuse(peer, submit, code, message) }
      message = "action \(submit.clientSequence) of this session was refused"
      code = .afterRefusal
    }
  }

  private mutating func refuse(
    _ peer: PeerID, _ submit: Submit, _ code: ErrorCode, _ message: String
  ) {
    send(
      peer,
      .outcome(
        ClientOutcome(
          clientSequence: submit.clientSequence,
          status: .refused(Refusal(code: code, message: message)))))
  }

  /// A client's action committed: its session is told, now and whenever it asks again.
  mutating func settle(_ committed: Committed) {
    guard case .client(let id, let sequence) = committed.record.origin else { return }
    let status: ClientOutcome.Status =
      if let reason = committed.record.mark {
        .void(sequence: committed.record.sequence, reason: reason)
      } else {
        .committed(
          sequence: committed.record.sequence, isUnmounted: committed.isUnmounted)
      }
    let peer = sessions[id, default: Session(name: "")].settle(sequence, status)
    guard let peer else { return forgetIfOver(id) }
    send(peer, .outcome(ClientOutcome(clientSequence: sequence, status: status)))
  }
}

extension Sequencer {
  /// Back-pressure: clients' actions wait while this many records are in flight or not durable.
  func canTakeMore(_ limit: Int) -> Bool { inFlight.count + uncommitted.count < limit }
}
