/// The number of each message on the wire. Numbers are never reused.
package enum Verb: UInt8, Hashable, Sendable, CaseIterable {
  case hello = 1
  case welcome = 2
  case refused = 3
  case goodbye = 4

  case submit = 16
  case confirm = 17
  case subscribe = 18
  case unsubscribe = 19
  case request = 20
  case outcome = 24
  case state = 25
  case reply = 26

  case reset = 32
  case makeInitialState = 33
  case mount = 34
  case unmount = 35
  case patch = 36
  case work = 37
  case marker = 38
  case squash = 39
  case retired = 40
  case caughtUp = 41
  case migrateState = 42
  case initialState = 48
  case answer = 49
  case markerAnswer = 50
  case ready = 51

  case assign = 64
  case cancelEffect = 65
  case outputAccepted = 66
  case attemptRefused = 67
  case output = 72
  case effectEnded = 73
  case heartbeat = 74
  case draining = 75

  /// What stands in the message header's format field of this verb.
  var format: PayloadFormat {
    switch self {
    case .goodbye, .confirm, .subscribe, .unsubscribe, .makeInitialState, .unmount, .marker,
      .squash, .retired, .caughtUp, .ready, .cancelEffect, .outputAccepted, .attemptRefused,
      .draining:
      .none
    case .submit, .request, .reply, .reset, .mount, .work, .output, .heartbeat: .json
    case .hello, .welcome, .refused, .outcome, .state, .patch, .initialState, .answer,
      .markerAnswer, .assign, .effectEnded, .migrateState:
      .binary
    }
  }
}
