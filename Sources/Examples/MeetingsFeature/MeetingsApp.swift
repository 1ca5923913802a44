public import Penstock

public struct MeetingsApp: PenstockApp {
  public static let name = "meetings"
  public static let operations: [any WorkerOperation.Type] = [Transcribe.self]

  public var root: Meetings { Meetings() }
  public var initialState: Meetings.State { Meetings.State() }
  public var samples: [Sample<Meetings.Action>] {
    let general: [Sample<Meetings.Action>] = [
      .action(.add), .action(.open(1)), .action(.open(2)),
      .action(.new(.presented(.setTitle("daily")))),
      .action(.new(.presented(.addAttendee("Ada")))),
      .action(.new(.presented(.setDuration(2)))), .action(.new(.presented(.save))),
      .action(.new(.presented(.cancel))), .action(.path(.popFrom(id: 1))),
      .output("hello", of: Transcribe.self), .output("goodbye", of: Transcribe.self),
    ]
    return general + (0..<4).flatMap(screen)
  }

  private func screen(_ id: Int) -> [Sample<Meetings.Action>] {
    let id = StackElementID(id)
    let details: [MeetingDetail.Action] = [
      .edit, .delete, .record, .open(note: 1),
      .destination(.presented(.edit(.setTitle("weekly")))),
      .destination(.presented(.edit(.save))), .destination(.presented(.alert(.delete))),
    ]
    let recordings: [Recording.Action] = [
      .start, .nextSpeaker, .end, .alert(.presented(.save)), .alert(.presented(.discard)),
      .alert(.dismiss),
    ]
    return details.map { .action(.path(.element(id: id, action: .detail($0)))) }
      + recordings.map { .action(.path(.element(id: id, action: .recording($0)))) }
      + [.action(.path(.element(id: id, action: .note(.close))))]
  }

  public init() {}
}
