public import Penstock

/// Shows a meeting; its sheets and alerts are one destination.
@Reducer
public struct MeetingDetail {
  @ObservableState
  public struct State {
    public var meeting: Meeting
    @Presents public var destination: Destination.State?

    public init(meeting: Meeting) { self.meeting = meeting }
  }

  public enum Action {
    case edit
    case delete
    case record
    case open(note: Int)
    case destination(PresentationAction<Destination.Action>)
    /// Tells the parent what is to be kept.
    case changed(Meeting)
    case deleted(Int)
  }

  @Reducer
  public enum Destination {
    case edit(MeetingForm)
    case alert(AlertState<Alert>)
  }

  @CasePathable
  public enum Alert {
    case delete
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .edit:
        state.destination = .edit(MeetingForm.State(meeting: state.meeting))
        return .none
      case .delete:
        state.destination = .alert(
          AlertState(
            "Delete the meeting?",
            buttons: [.init("Delete", role: .destructive, action: .delete)]))
        return .none
      case .destination(.presented(.edit(.save))):
        guard case .edit(let form) = state.destination else { return .none }
        state.meeting = form.meeting
        state.destination = nil
        return .send(.changed(form.meeting))
      case .destination(.presented(.alert(.delete))):
        return .merge(.send(.deleted(state.meeting.id)), .dismiss)
      case .destination, .record, .open, .changed, .deleted:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}
