import PenstockCore
package import Wire

extension VectorValue {
  /// The body of a message as the specifications name its fields; what stands in the message header
  /// is not in it.
  package static func body(of message: Message) -> VectorValue {
    switch message {
    case .hello(let hello): body(hello)
    case .welcome(let welcome):
      .members([
        "next": .number(welcome.nextClientSequence), "application": .string(welcome.application),
      ])
    case .refused(let refusal): body(refusal)
    case .submit(let submit):
      .members([
        "clientSequence": .number(submit.clientSequence), "payload": .hex(submit.payload),
      ])
    case .confirm(let upTo): .members(["upTo": .number(upTo)])
    case .subscribe(let id, _), .unsubscribe(let id): .members(["id": .number(id)])
    case .request(let id, let verb, let body):
      .members(["id": .number(id), "request": .string(verb), "body": .hex(body)])
    case .outcome(let outcome): body(outcome)
    case .state(let state):
      .members(["subscription": .number(state.subscription), "state": body(state.body)])
    case .reply(let id, let status, let body):
      .members(["id": .number(id), "status": .number(UInt64(status)), "body": .hex(body)])
    case .reset(_, _, let state): .members(["state": state.map(hex) ?? .null])
    case .makeInitialState(let now, let seed):
      .members(["now": .signed(now), "seed": .number(seed)])
    case .migrateState(let state, let description):
      .members(["description": .hex(description), "state": .hex(state)])
    case .mount(_, _, let state): .members(["state": .hex(state)])
    case .patch(_, _, let patch): .members(["patch": body(patch)])
    case .work(let work):
      .members([
        "now": .signed(work.now), "seed": .number(work.seed),
        "shared": .list(
          work.shared.map {
            .members([
              "path": .string($0.name.path.description), "field": .string($0.name.field),
              "value": .hex($0.value),
            ])
          }),
        "payload": work.payload.map(hex) ?? .null,
      ])
    case .marker(let marker):
      .members(["id": .number(marker.id), "since": marker.since.map { number($0) } ?? .null])
    case .initialState(let state, let mounts):
      .members(["mounts": .list(mounts.map(body)), "state": .hex(state)])
    case .answer(let answer): body(answer)
    case .markerAnswer(let answer):
      .members(["id": .number(answer.id), "state": body(answer.body)])
    case .assign(let assignment):
      .members([
        "next": .number(assignment.nextIndex), "operation": .string(assignment.operation),
        "policy": body(assignment.policy), "cursor": .hex(assignment.cursor),
        "input": .hex(assignment.input),
      ])
    case .outputAccepted(_, _, let index): .members(["index": .number(index)])
    case .output(let output):
      .members(["index": .number(output.index), "value": .hex(output.value)])
    case .effectEnded(_, _, let index, let result): body(index, result)
    case .heartbeat(_, _, let cursor): .members(["cursor": .hex(cursor)])
    case .goodbye, .unmount, .squash, .retired, .caughtUp, .ready, .cancelEffect, .attemptRefused,
      .draining:
      .object([])
    }
  }

  private static func body(_ hello: Hello) -> VectorValue {
    .members([
      "role": .number(UInt64(hello.role.rawValue)), "session": .number(hello.session),
      "process": .number(hello.processID), "schema": .number(hello.schemaHash),
      "slots": .number(hello.slots), "name": .string(hello.name),
      "application": .string(hello.application), "build": .string(hello.build),
      "description": .hex(hello.description), "queues": .list(hello.queues.map(string)),
      "running": .list(
        hello.running.map {
          .members([
            "effect": .list([
              .number($0.effect.sequence), .number($0.effect.index),
              .string($0.effect.path.description),
            ]),
            "attempt": .list([.number($0.attempt.start), .number($0.attempt.number)]),
          ])
        }),
    ])
  }

  private static func body(_ refusal: Refusal) -> VectorValue {
    .members([
      "code": .number(UInt64(refusal.code.rawValue)), "message": .string(refusal.message),
    ])
  }

  private static func body(_ outcome: ClientOutcome) -> VectorValue {
    let sequence = VectorValue.number(outcome.clientSequence)
    switch outcome.status {
    case .committed: return .members(["clientSequence": sequence, "status": .number(1 as UInt64)])
    case .void(_, let reason):
      return .members([
        "clientSequence": sequence, "status": .number(2 as UInt64),
        "reason": .number(UInt64(reason.rawValue)),
      ])
    case .refused(let refusal):
      return .members([
        "clientSequence": sequence, "status": .number(3 as UInt64), "refusal": body(refusal),
      ])
    }
  }

  private static func body(_ state: StateMessage.Body) -> VectorValue {
    switch state {
    case .snapshot(nil): .members(["kind": .number(0 as UInt64)])
    case .snapshot(let value?): .members(["kind": .number(1 as UInt64), "value": .hex(value)])
    case .changes(let from, let patch):
      .members(["kind": .number(2 as UInt64), "from": .number(from), "patch": body(patch)])
    }
  }

  private static func body(_ patch: Patch) -> VectorValue {
    .list(
      patch.operations.map { operation in
        let path = VectorValue.list(operation.path.map(string))
        return switch operation.change {
        case .set(let value):
          .members(["op": .string("set"), "path": path, "value": .hex(value)])
        case .insert(let value, let index):
          .members([
            "op": .string("insert"), "path": path, "at": .signed(Int64(index)),
            "value": .hex(value),
          ])
        case .remove: .members(["op": .string("remove"), "path": path])
        case .move(let index):
          .members(["op": .string("move"), "path": path, "at": .signed(Int64(index))])
        }
      })
  }

  private static func body(_ mount: MountChange) -> VectorValue {
    .members([
      "path": .string(mount.path.description), "before": mount.before.map(string) ?? .null,
      "after": mount.after.map(string) ?? .null,
    ])
  }

  private static func body(_ answer: Answer) -> VectorValue {
    switch answer.result {
    case .undecodable(let message), .tooLarge(let message): .members(["message": .string(message)])
    case .reduced(let transition):
      .members([
        "patch": body(transition.patch), "mounts": .list(transition.mounts.map(body)),
        "sends": .list(
          transition.sends.map {
            .members(["path": .string($0.path.description), "payload": .hex($0.payload)])
          }), "effects": .list(transition.effects.map(body)),
        "diagnostics": .list(transition.diagnostics.map(string)),
      ])
    }
  }

  private static func body(_ command: EffectCommand) -> VectorValue {
    switch command {
    case .cancel(let path, let id):
      .members(["cancel": .string(path.description), "id": body(id)])
    case .start(let start):
      switch start.kind {
      case .operation(let name, let input, let output, let policy):
        .members([
          "start": .string(start.path.description), "ids": .list(start.cancelIDs.map(body)),
          "operation": .string(name), "input": .hex(input),
          "cases": .list(output.cases.map(string)), "isOutcome": .bool(output.isOutcome),
          "policy": body(policy),
        ])
      case .timer(let interval, let isRepeating, let payload):
        .members([
          "start": .string(start.path.description), "ids": .list(start.cancelIDs.map(body)),
          "interval": .signed(interval), "isRepeating": .bool(isRepeating),
          "payload": .hex(payload),
        ])
      }
    }
  }

  private static func body(_ id: CancelID) -> VectorValue {
    .list([.string(id.name), .string(id.value)])
  }

  private static func body(_ policy: EffectPolicy) -> VectorValue {
    .members([
      "queue": .string(policy.queue), "attempts": .number(policy.maximumAttempts),
      "initial": .signed(policy.initialBackoff), "maximum": .signed(policy.maximumBackoff),
      "timeout": policy.timeout.map(signed) ?? .null,
      "heartbeat": policy.heartbeatTimeout.map(signed) ?? .null,
    ])
  }

  private static func body(_ index: UInt32, _ result: EffectResult) -> VectorValue {
    let index = VectorValue.number(index)
    return switch result {
    case .finished: .members(["index": index, "result": .number(1 as UInt64)])
    case .failed(let code, let message, _):
      .members([
        "index": index, "result": .number(2 as UInt64), "code": .string(code),
        "message": .string(message),
      ])
    case .cancelled: .members(["index": index, "result": .number(3 as UInt64)])
    case .handedBack: .members(["index": index, "result": .number(4 as UInt64)])
    }
  }
}
