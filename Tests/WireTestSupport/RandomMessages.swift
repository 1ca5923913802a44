package import PenstockCore
package import Simulation
package import Wire

/// Random values of everything that travels.
package struct RandomMessages {
  package var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  package mutating func u64() -> UInt64 {
    random.chance(20) ? random.next() : random.next() % 1_000
  }
  package mutating func u32() -> UInt32 { UInt32(truncatingIfNeeded: u64()) }
  package mutating func i64() -> Int64 { Int64(bitPattern: u64()) }
  package mutating func bool() -> Bool { random.chance(50) }

  package mutating func span() -> Int64 { Int64(u64() % UInt64(Limits.time)) }

  package mutating func list<Element>(
    upTo count: Int, _ make: (inout RandomMessages) -> Element
  ) -> [Element] {
    var result: [Element] = []
    for _ in 0..<random.below(count + 1) { result.append(make(&self)) }
    return result
  }

  package mutating func optional<Value>(_ make: (inout RandomMessages) -> Value) -> Value? {
    bool() ? make(&self) : nil
  }

  package mutating func text() -> String {
    let words = ["", "a", "targets", "rows", "ä/%", "日本", "value with spaces", "\u{0}"]
    return words[random.below(words.count)]
  }

  package mutating func bytes() -> Bytes {
    list(upTo: random.chance(5) ? 3_000 : 40) { UInt8(truncatingIfNeeded: $0.random.next()) }
  }

  package mutating func path() -> Path {
    Path.root.appending(contentsOf: list(upTo: 4) { $0.text() })
  }

  package mutating func effect() -> EffectID {
    EffectID(sequence: u64(), path: path(), index: u32())
  }

  package mutating func attempt() -> Attempt { Attempt(start: u32(), number: u32()) }
  package mutating func epoch() -> Epoch { Epoch(start: u32(), squash: u32()) }

  package mutating func patch() -> Patch {
    Patch(
      list(upTo: 4) { random in
        let change: PatchOperation.Change =
          switch random.random.below(4) {
          case 0: .set(random.bytes())
          case 1: .insert(random.bytes(), at: random.random.below(9))
          case 2: .remove
          default: .move(to: random.random.below(9))
          }
        return PatchOperation(path: random.list(upTo: 4) { $0.text() }, change: change)
      })
  }

  package mutating func mounts() -> [MountChange] {
    list(upTo: 3) {
      MountChange(
        path: $0.path(), before: $0.optional { $0.text() }, after: $0.optional { $0.text() })
    }
  }

  package mutating func policy() -> EffectPolicy {
    var policy = EffectPolicy()
    policy.queue = text()
    policy.maximumAttempts = u32()
    policy.initialBackoff = span()
    policy.maximumBackoff = span()
    policy.timeout = optional { $0.span() }
    policy.heartbeatTimeout = optional { $0.span() }
    return policy
  }

  package mutating func cancelID() -> CancelID { CancelID(name: text(), value: text()) }

  package mutating func start() -> EffectStart {
    let kind: EffectStart.Kind =
      bool()
      ? .operation(
        name: text(), input: bytes(),
        output: OutputCase(cases: list(upTo: 3) { $0.text() }, isOutcome: bool()),
        policy: policy())
      : .timer(interval: span(), isRepeating: bool(), payload: bytes())
    return EffectStart(path: path(), kind: kind, cancelIDs: list(upTo: 2) { $0.cancelID() })
  }

  package mutating func transition() -> Transition {
    var transition = Transition()
    transition.patch = patch()
    transition.mounts = mounts()
    transition.sends = list(upTo: 3) { Send(path: $0.path(), payload: $0.bytes()) }
    transition.effects = list(upTo: 3) {
      $0.bool() ? .start($0.start()) : .cancel(path: $0.path(), id: $0.cancelID())
    }
    transition.diagnostics = list(upTo: 2) { $0.text() }
    return transition
  }

  package mutating func refusal() -> Refusal {
    let codes = ErrorCode.allCases
    return Refusal(code: codes[random.below(codes.count)], message: text())
  }

  package mutating func stateBody() -> StateMessage.Body {
    bool() ? .snapshot(optional { $0.bytes() }) : .changes(from: u64(), patch())
  }
}
