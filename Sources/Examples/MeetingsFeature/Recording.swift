public import Penstock

/// Records a meeting: a timer, and a transcript that goes on for as long.
@Reducer
public struct Recording {
  @ObservableState
  public struct State {
    public var meeting: Meeting
    public var seconds = 0
    public var speaker = 0
    public var transcript: [String] = []
    public var isPaused = false
    @Presents public var alert: AlertState<Alert>?

    public init(meeting: Meeting) { self.meeting = meeting }

    /// Whether its time is over.
    public var isOver: Bool { seconds >= meeting.duration }
  }

  public enum Action {
    case start
    case tick
    case heard(Outcome<String>)
    case nextSpeaker
    case end
    case alert(PresentationAction<Alert>)
    /// Tells the parent what was recorded.
    case finished([String])
  }

  @CasePathable
  public enum Alert {
    case save
    case discard
  }

  enum CancelID {
    case timer
    case transcript
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start:
        return .merge(
          .every(.seconds(1), .tick).cancellable(id: CancelID.timer, cancelInFlight: true),
          .run(Transcribe(meeting: state.meeting.id), to: \.heard)
            .cancellable(id: CancelID.transcript, cancelInFlight: true))

      case .tick:
        guard !state.isPaused, !state.isOver else { return .none }
        state.seconds += 1
        return state.isOver ? finish(&state) : .none

      case .heard(.success(let line)):
        state.transcript.append(line)
        return .none

      case .heard(.failure(let failure)):
        state.transcript.append("(the recognizer failed: \(failure.message))")
        return .none

      case .nextSpeaker:
        let count = max(1, state.meeting.attendees.count)
        guard state.speaker + 1 < count else { return ask(&state) }
        state.speaker += 1
        // Each speaker has the same share of the time.
        state.seconds = max(state.seconds, state.speaker * state.meeting.duration / count)
        return .none

      case .end:
        return ask(&state)

      case .alert(.presented(.save)):
        return finish(&state)

      case .alert(.presented(.discard)):
        return .dismiss

      case .alert(.dismiss):
        state.isPaused = false
        return .none

      case .finished:
        return .none
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }

  private func ask(_ state: inout State) -> Effect<Action> {
    state.isPaused = true
    state.alert = AlertState(
      "End the meeting?",
      buttons: [
        .init("Save", action: .save), .init("Discard", role: .destructive, action: .discard),
      ])
    return .none
  }

  private func finish(_ state: inout State) -> Effect<Action> {
    .merge(
      .cancel(id: CancelID.timer), .cancel(id: CancelID.transcript),
      .send(.finished(state.transcript)), .dismiss)
  }
}
