import PenstockCore
package import Wire

extension RandomMessages {
  package mutating func message() -> Message {
    message(Verb.allCases[random.below(Verb.allCases.count)])
  }

  package mutating func message(_ verb: Verb) -> Message {
    switch verb {
    case .hello, .welcome, .refused, .goodbye: peer(verb)
    case .submit, .confirm, .subscribe, .unsubscribe, .request, .outcome, .state, .reply:
      client(verb)
    case .reset, .makeInitialState, .mount, .unmount, .patch, .work, .marker, .squash, .retired,
      .caughtUp, .migrateState, .initialState, .answer, .markerAnswer, .ready:
      feature(verb)
    case .assign, .cancelEffect, .outputAccepted, .attemptRefused, .output, .effectEnded,
      .heartbeat, .draining:
      worker(verb)
    }
  }

  private mutating func peer(_ verb: Verb) -> Message {
    switch verb {
    case .hello:
      .hello(
        Hello(
          role: Role.allCases[random.below(3)], name: text(), session: u64(), processID: u32(),
          application: text(), build: text(), schemaHash: u64(), description: bytes(),
          queues: list(upTo: 3) { $0.text() }, slots: u32(),
          running: list(upTo: 3) { RunningEffect(effect: $0.effect(), attempt: $0.attempt()) }))
    case .welcome:
      .welcome(
        Welcome(
          application: text(), start: u32(), nextClientSequence: u64(), isDurable: bool()))
    case .refused: .refused(refusal())
    default: .goodbye
    }
  }

  private mutating func client(_ verb: Verb) -> Message {
    switch verb {
    case .submit:
      .submit(
        Submit(
          clientSequence: u64(), path: path(), payload: bytes(),
          generation: optional { Generation(sequence: $0.u64(), ordinal: $0.u32()) }))
    case .confirm: .confirm(upTo: u64())
    case .subscribe: .subscribe(id: u32(), path: path())
    case .unsubscribe: .unsubscribe(id: u32())
    case .request: .request(id: u32(), verb: text(), body: bytes())
    case .outcome: .outcome(ClientOutcome(clientSequence: u64(), status: status()))
    case .state: .state(StateMessage(subscription: u32(), asOf: u64(), body: stateBody()))
    default: .reply(id: u32(), status: UInt16(truncatingIfNeeded: u64()), body: bytes())
    }
  }

  private mutating func status() -> ClientOutcome.Status {
    switch random.below(3) {
    case 0: .committed(sequence: u64(), isUnmounted: bool())
    case 1:
      .void(sequence: u64(), reason: VoidReason.allCases[random.below(VoidReason.allCases.count)])
    default: .refused(refusal())
    }
  }

  private mutating func feature(_ verb: Verb) -> Message {
    switch verb {
    case .reset: .reset(sequence: u64(), epoch: epoch(), state: optional { $0.bytes() })
    case .makeInitialState: .makeInitialState(now: i64(), seed: u64())
    case .mount: .mount(sequence: u64(), epoch: epoch(), state: bytes())
    case .unmount: .unmount(sequence: u64(), epoch: epoch())
    case .patch: .patch(sequence: u64(), epoch: epoch(), patch: patch())
    case .work:
      .work(
        Work(
          sequence: u64(), epoch: epoch(), path: path(), payload: optional { $0.bytes() },
          now: i64(), seed: u64(), wantsPatch: bool(), isReplay: bool(), cause: u64(),
          correlation: u64()))
    case .marker:
      .marker(Marker(id: u32(), sequence: u64(), epoch: epoch(), since: optional { $0.u32() }))
    case .squash: .squash(epoch: epoch(), sequence: u64())
    case .retired: .retired(sequence: u64())
    case .caughtUp: .caughtUp(sequence: u64())
    case .migrateState: .migrateState(bytes(), from: bytes())
    case .initialState: .initialState(bytes(), mounts: mounts())
    case .answer:
      .answer(
        Answer(
          sequence: u64(), epoch: epoch(),
          result: answerResult()))
    case .markerAnswer:
      .markerAnswer(
        MarkerAnswer(id: u32(), sequence: u64(), epoch: epoch(), body: stateBody()))
    default: .ready(sequence: u64())
    }
  }

  private mutating func answerResult() -> Answer.Result {
    if bool() { return .reduced(transition()) }
    return bool() ? .undecodable(text()) : .tooLarge(text())
  }

  private mutating func worker(_ verb: Verb) -> Message {
    switch verb {
    case .assign:
      .assign(
        Assignment(
          effect: effect(), attempt: attempt(), operation: text(), input: bytes(),
          policy: policy(), nextIndex: u32(), cursor: bytes()))
    case .cancelEffect: .cancelEffect(effect: effect(), attempt: attempt())
    case .outputAccepted: .outputAccepted(effect: effect(), attempt: attempt(), index: u32())
    case .attemptRefused: .attemptRefused(effect: effect(), attempt: attempt())
    case .output:
      .output(
        WorkerOutput(
          effect: effect(), attempt: attempt(), index: u32(), isFinal: bool(), value: bytes()))
    case .effectEnded:
      .effectEnded(effect: effect(), attempt: attempt(), index: u32(), result: result())
    case .heartbeat: .heartbeat(effect: effect(), attempt: attempt(), cursor: bytes())
    default: .draining
    }
  }

  private mutating func result() -> EffectResult {
    switch random.below(4) {
    case 0: .finished
    case 1: .failed(code: text(), message: text(), isRetryable: bool())
    case 2: .cancelled
    default: .handedBack
    }
  }
}
