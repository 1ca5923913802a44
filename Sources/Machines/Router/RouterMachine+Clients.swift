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
    guard let place = sessions.index(forKey: id) else { return }
    submitted(peer, place, submit)
    if !sessions.values[place].held.isEmpty { holding.insert(id) }
  }

  /// Takes the submits that stand one after the other.
  mutating func submitted(
    _ peer: PeerID, _ id: UInt64, _ messages: [Message], from index: inout Int
  ) {
    guard case .submit = messages[index], let place = sessions.index(forKey: id) else { return }
    while index < messages.count, case .submit(let submit) = messages[index] {
      submitted(peer, place, submit)
      index += 1
    }
    if !sessions.values[place].held.isEmpty { holding.insert(id) }
  }

  private mutating func submitted(
    _ peer: PeerID, _ place: Dictionary<UInt64, Session>.Index, _ submit: Submit
  ) {
    let verdict = sessions.values[place].take(
      submit, limit: configuration.heldPerSession,
      deduplicates: !configuration.sequencer.faults.forgetsClientDeduplication)
    switch verdict {
    case .held: return
    case .repeated(let status):
      rare.reach(.duplicateSubmit)
      guard let status else { return }
      send(peer, .outcome(ClientOutcome(clientSequence: submit.clientSequence, status: status)))
    case .early(let expected):
      rare.reach(.refusedAfter)
      refuse(
        peer, submit, .afterRefusal, "action \(expected) of this session has to be sent first")
    case .full(let count):
      rare.reach(.refusedOverloaded)
      refuse(peer, submit, .overloaded, "\(count) actions of this session wait")
    case .pinned:
      refuse(peer, submit, .unsupported, "this router does not compare generations (C-7) yet")
    }
  }

  /// Numbers what sessions wait to have numbered, as far as their features are up.
  mutating func admitHeld() {
    guard sequencer != nil, isReady else { return }
    for id in holding.sorted() { admitHeld(of: id) }
  }

  private mutating func admitHeld(of id: UInt64) {
    guard let place = sessions.index(forKey: id) else {
      holding.remove(id)
      return
    }
    while sequencer!.canTakeMore(configuration.inFlightLimit),
      let submit = sessions.values[place].firstHeld()
    {
      guard let address = sequencer!.canonical(submit.path, submit.payload)
      else {
        refuseHeld(place, .unknownPath, "no scope has the path \(submit.path)")
        break
      }
      if ReservedPayload.isReserved(address.payload) {
        refuseHeld(place, .undecodable, "$start is a matter of features (S-12)")
        break
      }
      if let found = sequencer!.topology.internalCase(address.path, address.payload) {
        refuseHeld(place, .internalAction, "\(found)")
        break
      }
      let status = sequencer!.admitIfAvailable(
        origin: .client(session: id, sequence: submit.clientSequence), path: address.path,
        payload: address.payload)
      switch status {
      case .down:
        rare.reach(.refusedUnavailable)
        refuseHeld(place, .unavailable, "a feature that \(address.path) needs is down")
      case .up:
        sessions.values[place].admitted()
        continue
      case .absent, .restarting, .catchingUp:
        break
      }
      break
    }
    if sessions.values[place].held.isEmpty { holding.remove(id) }
  }

  /// Refuses the first held action, and with it those after it: the client's order stays.
  private mutating func refuseHeld(
    _ place: Dictionary<UInt64, Session>.Index, _ code: ErrorCode, _ message: String
  ) {
    var code = code
    var message = message
    let peer = sessions.values[place].peer
    while !sessions.values[place].held.isEmpty {
      let submit = sessions.values[place].held.removeFirst()
      if let peer { refuse(peer, submit, code, message) }
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
    let peer: PeerID?
    if let place = sessions.index(forKey: id) {
      peer = sessions.values[place].settle(sequence, status)
    } else {
      peer = sessions[id, default: Session(name: "")].settle(sequence, status)
    }
    guard let peer else { return forgetIfOver(id) }
    send(peer, .outcome(ClientOutcome(clientSequence: sequence, status: status)))
  }
}

extension Sequencer {
  /// Back-pressure: clients' actions wait while this many records are in flight or not durable.
  func canTakeMore(_ limit: Int) -> Bool { inFlight.count + uncommitted.count < limit }
}
