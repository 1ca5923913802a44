@testable import MeetingsFeature
import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@Suite(.serialized) struct MeetingsTests {
  let meeting = Meeting(id: 1, title: "daily", attendees: ["Ada", "Grace"], duration: 3)

  func store(_ harness: Harness) throws -> TestStoreOf<Meetings> {
    var state = Meetings.State()
    state.meetings = [meeting]
    state.nextID = 2
    return try harness.store(MeetingsApp(), from: state, executable: "meetings")
  }

  @Test(arguments: Harness.allCases)
  func `a meeting is written on a sheet and kept when it is saved`(harness: Harness) async throws {
    let store = try store(harness)
    await store.send(.add) {
      $0.new = MeetingForm.State(meeting: Meeting(id: 2, title: ""))
      $0.nextID = 3
    }
    await store.send(.new(.presented(.setTitle("weekly")))) { $0.new?.meeting.title = "weekly" }
    await store.send(.new(.presented(.addAttendee(""))))
    await store.send(.new(.presented(.addAttendee("Ada")))) { $0.new?.meeting.attendees = ["Ada"] }
    await store.send(.new(.presented(.save))) {
      $0.meetings.append(Meeting(id: 2, title: "weekly", attendees: ["Ada"]))
      $0.new = nil
    }
    await store.send(.add) {
      $0.new = MeetingForm.State(meeting: Meeting(id: 3, title: ""))
      $0.nextID = 4
    }
    await store.send(.new(.presented(.cancel)))
    await store.receive(\.new.dismiss) { $0.new = nil }
  }

  @Test(arguments: Harness.allCases)
  func `editing goes to the list, deleting takes the screen along`(harness: Harness) async throws {
    let store = try store(harness)
    store.exhaustivity = .off
    await store.send(.open(1))
    await store.send(.path(.element(id: 0, action: .detail(.edit))))
    await store.send(
      .path(.element(id: 0, action: .detail(.destination(.presented(.edit(.setTitle("new"))))))))
    await store.send(
      .path(.element(id: 0, action: .detail(.destination(.presented(.edit(.save)))))))
    await store.receive(\.path.element)
    #expect(store.state.meetings[id: 1]?.title == "new")
    await store.send(.path(.element(id: 0, action: .detail(.delete))))
    await store.send(
      .path(.element(id: 0, action: .detail(.destination(.presented(.alert(.delete)))))))
    await store.skipReceivedActions()
    #expect(store.state.meetings.isEmpty)
    #expect(store.state.path.isEmpty)
  }

  @Test(arguments: Harness.allCases)
  func `a recording ends when its time is over, and its note is kept`(harness: Harness) async throws
  {
    let store = try store(harness)
    store.exhaustivity = .off
    await store.send(.open(1))
    await store.send(.path(.element(id: 0, action: .detail(.record))))
    await store.send(.path(.element(id: 1, action: .recording(.start))))
    await store.receive(effect: Transcribe(meeting: 1), answer: .outputs(["hello", "bye"]))
    await store.skipReceivedActions()
    await store.advance(by: .seconds(5))
    await store.skipReceivedActions()
    #expect(store.state.meetings[id: 1]?.notes.map(\.transcript) == [["hello", "bye"]])
    #expect(store.state.path.count == 1)
    await store.send(.path(.element(id: 0, action: .detail(.open(note: 1)))))
    await store.send(.path(.element(id: 2, action: .note(.search("bye")))))
    guard case .note(let reader)? = store.state.path[id: 2] else {
      Issue.record("the note is not open")
      return
    }
    #expect(reader.matches == ["bye"])
    await store.finish()
  }

  @Test(arguments: Harness.allCases)
  func `ending asks, and what is discarded is kept nowhere`(harness: Harness) async throws {
    let store = try store(harness)
    store.exhaustivity = .off
    await store.send(.open(1))
    await store.send(.path(.element(id: 0, action: .detail(.record))))
    await store.send(.path(.element(id: 1, action: .recording(.start))))
    await store.receive(effect: Transcribe(meeting: 1))
    await store.send(.path(.element(id: 1, action: .recording(.end))))
    await store.advance(by: .seconds(2))
    await store.skipReceivedActions()
    await store.send(
      .path(.element(id: 1, action: .recording(.alert(.presented(.discard))))))
    await store.skipReceivedActions()
    #expect(store.state.path.count == 1)
    #expect(store.state.meetings[id: 1]?.notes.isEmpty == true)
    await store.finish()
  }
}
