public import Penstock

/// The list of meetings, which is the model that all screens change through it, and the path.
@Reducer
public struct Meetings {
  @ObservableState
  public struct State {
    public var meetings: IdentifiedArrayOf<Meeting> = []
    public var nextID = 1
    @Presents public var new: MeetingForm.State?
    public var path = StackState<Screen.State>()

    public init() {}
  }

  public enum Action {
    case add
    case open(Int)
    case new(PresentationAction<MeetingForm.Action>)
    case path(StackAction<Screen.State, Screen.Action>)
  }

  @Reducer
  public enum Screen {
    case detail(MeetingDetail)
    case recording(Recording)
    case note(NoteReader)
  }

  @Dependency(\.microseconds) var now

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add:
        if state.new == nil {
          state.new = MeetingForm.State(meeting: Meeting(id: state.nextID, title: ""))
          state.nextID += 1
        }
        return .none

      case .new(.presented(.save)):
        guard let form = state.new else { return .none }
        state.meetings.append(form.meeting)
        state.new = nil
        return .none

      case .open(let id):
        guard let meeting = state.meetings[id: id] else { return .none }
        state.path.append(.detail(MeetingDetail.State(meeting: meeting)))
        return .none

      case .path(.element(let id, .detail(let action))):
        take(action, at: id, &state)
        return .none

      case .path(.element(let id, .recording(.finished(let transcript)))):
        guard case .recording(let recording)? = state.path[id: id] else { return .none }
        keep(transcript, of: recording.meeting.id, &state)
        return .none

      case .new, .path:
        return .none
      }
    }
    .ifLet(\.$new, action: \.new) { MeetingForm() }
    .forEach(\.path, action: \.path)
  }

  private func take(_ action: MeetingDetail.Action, at id: StackElementID, _ state: inout State) {
    guard case .detail(let detail)? = state.path[id: id] else { return }
    switch action {
    case .changed(let meeting):
      state.meetings[id: meeting.id] = meeting
    case .deleted(let meeting):
      state.meetings.remove(id: meeting)
    case .record:
      state.path.append(.recording(Recording.State(meeting: detail.meeting)))
    case .open(let number):
      if let note = detail.meeting.notes.first(where: { $0.id == number }) {
        state.path.append(.note(NoteReader.State(note: note)))
      }
    case .edit, .delete, .destination:
      break
    }
  }

  /// The note goes to the list, and to each screen that shows the meeting.
  private func keep(_ transcript: [String], of id: Int, _ state: inout State) {
    guard var meeting = state.meetings[id: id] else { return }
    meeting.notes.append(
      Note(
        id: (meeting.notes.last?.id ?? 0) + 1, time: now / 1_000_000, transcript: transcript))
    state.meetings[id: id] = meeting
    for element in state.path.ids {
      guard case .detail(var detail)? = state.path[id: element], detail.meeting.id == id else {
        continue
      }
      detail.meeting = meeting
      state.path[id: element] = .detail(detail)
    }
  }
}
