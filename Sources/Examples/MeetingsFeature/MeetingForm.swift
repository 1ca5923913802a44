public import Penstock

/// Edits a meeting on a sheet.
@Reducer
public struct MeetingForm {
  @ObservableState
  public struct State: Identifiable {
    public var meeting: Meeting
    public var id: Int { meeting.id }
  }

  public enum Action {
    case setTitle(String)
    case setDuration(Int)
    case addAttendee(String)
    case removeAttendee(Int)
    case save
    case cancel
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .setTitle(let title):
        state.meeting.title = title
        return .none
      case .setDuration(let seconds):
        state.meeting.duration = max(1, seconds)
        return .none
      case .addAttendee(let name):
        if !name.isEmpty { state.meeting.attendees.append(name) }
        return .none
      case .removeAttendee(let index):
        if state.meeting.attendees.indices.contains(index) {
          state.meeting.attendees.remove(at: index)
        }
        return .none
      case .save:
        return .none
      case .cancel:
        return .dismiss
      }
    }
  }
}
