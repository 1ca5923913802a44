import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@testable import scenarios

/// 13–23: features made of features.
@Suite(.serialized) struct FamilyScenarioTests {
  private func onBoth(
    _ harness: Harness,
    _ body: nonisolated(nonsending) (TestStoreOf<Scenarios>) async throws -> Void
  ) async throws {
    try await harness.scenario("family", body)
  }

  @Test(arguments: Harness.allCases)
  func `13: the effects of combined reducers are merged`(harness: Harness) async throws {
    try await harness.scenario("both") { store in
      await store.send(.both(.start)) { $0.both.count = 2 }
      for second in 1...2 {
        await store.advance(by: .seconds(1))
        await store.receive(.both(.fired(second))) { $0.both.fired.append(second) }
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `14: a child's effects come back to that child alone`(harness: Harness) async throws {
    try await onBoth(harness) { store in
      await store.send(.family(.first(.decrement))) {
        $0.family.first.count = -1
        $0.family.seen = ["first -1"]
      }
      await store.receive(.family(.first(.increment))) {
        $0.family.first.count = 0
        $0.family.seen.append("first 0")
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `16: an absent child's action reaches its parent's logic and is diagnosed`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.family(.guest(.increment))) { $0.family.seen = ["guest nil"] }
      }
    }
    #expect(
      said == [
        """
        .family(.guest(.increment)): An action came to /family/guest while its state is nil. Only \
        the mounted parents saw it. Either a parent removed the feature before its last action \
        arrived, which is harmless for results of effects, or the action was sent too early: send it \
        after the state was set.
        """
      ])
  }

  @Test(arguments: Harness.allCases)
  func `17: a child's timer ends with the child, and a grandchild's with it`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      await store.send(.family(.invite(1))) { $0.family.guest = Member.State(id: 1) }
      await store.send(.family(.guest(.startTimer)))
      await store.advance(by: .seconds(2))
      for count in 1...2 {
        await store.receive(.family(.guest(.tick))) { $0.family.guest?.count = count }
      }
      await store.send(.family(.dismiss)) { $0.family.guest = nil }
      await store.advance(by: .seconds(5))
      await store.finish()

      await store.send(.family(.inviteWithPet)) {
        $0.family.guest = Member.State(pet: Pet.State())
      }
      await store.send(.family(.guest(.pet(.startTimer))))
      await store.advance(by: .seconds(1))
      await store.receive(.family(.guest(.pet(.tick)))) { $0.family.guest?.pet?.count = 1 }
      await store.send(.family(.dismiss)) { $0.family.guest = nil }
      await store.advance(by: .seconds(5))
    }
  }

  @Test(arguments: Harness.allCases)
  func `18: an effect of a child with another id never reaches its successor`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.family(.invite(1))) { $0.family.guest = Member.State(id: 1) }
        await store.send(.family(.guest(.ask)))
        let first = await store.receive(effect: Question(number: 1))
        await store.send(.family(.invite(2))) { $0.family.guest = Member.State(id: 2) }
        await store.send(.family(.guest(.ask)))
        let second = await store.receive(effect: Question(number: 2))
        await first.answer(.output("one"))
        await second.answer(.output("two"))
        await store.receive(.family(.guest(.answered(.success("two"))))) {
          $0.family.guest?.text = "two"
          $0.family.guest?.count = 2
        }
      }
    }
    #expect(said.firstLines == ["Question of /family/guest was answered, and it is over."])
  }

  @Test(arguments: Harness.allCases)
  func `21: an element's action changes that element, and so does what follows from it`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      await store.send(.family(.fill([1, 2, 3]))) {
        for id in 1...3 { $0.family.rows.append(Member.State(id: id)) }
      }
      await store.send(.family(.rows(.element(id: 1, action: .write("x"))))) {
        $0.family.rows[id: 1]?.text = "x"
        $0.family.seen = ["row 1"]
      }
      await store.send(.family(.rows(.element(id: 2, action: .write(""))))) {
        $0.family.seen.append("row 2")
      }
      await store.receive(.family(.rows(.element(id: 2, action: .write("Empty"))))) {
        $0.family.rows[id: 2]?.text = "Empty"
        $0.family.seen.append("row 2")
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `22: an absent element's action is diagnosed, and the parent runs`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.family(.fill([1]))) { $0.family.rows.append(Member.State(id: 1)) }
        await store.send(.family(.rows(.element(id: 9, action: .write("x"))))) {
          $0.family.seen = ["row 9"]
        }
      }
    }
    #expect(said.count == 1)
    #expect(said.first?.contains("An action came to /family/rows/9, an element that is") == true)
  }

  @Test(arguments: Harness.allCases)
  func `23: removing an element ends its timer and no other's`(harness: Harness) async throws {
    try await onBoth(harness) { store in
      await store.send(.family(.fill([1, 2]))) {
        for id in 1...2 { $0.family.rows.append(Member.State(id: id)) }
      }
      for id in 1...2 {
        await store.send(.family(.rows(.element(id: id, action: .startTimer))))
      }
      await store.advance(by: .seconds(1))
      for id in 1...2 {
        await store.receive(.family(.rows(.element(id: id, action: .tick)))) {
          $0.family.rows[id: id]?.count = 1
        }
      }
      await store.send(.family(.remove(2))) { $0.family.rows.remove(id: 2) }
      await store.advance(by: .seconds(1))
      await store.receive(.family(.rows(.element(id: 1, action: .tick)))) {
        $0.family.rows[id: 1]?.count = 2
      }
      await store.send(.family(.remove(1))) { $0.family.rows.remove(id: 1) }
    }
  }
}
