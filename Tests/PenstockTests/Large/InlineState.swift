import Penstock

/// Values in each other without a reference between them: 100 kB of integers in one state.
@JSONCodable
struct Inline80 {
  var f0 = 0
  var f1 = 0
  var f2 = 0
  var f3 = 0
  var f4 = 0
  var f5 = 0
  var f6 = 0
  var f7 = 0
  var f8 = 0
  var f9 = 0
}

@JSONCodable
struct Inline800 {
  var f0 = Inline80()
  var f1 = Inline80()
  var f2 = Inline80()
  var f3 = Inline80()
  var f4 = Inline80()
  var f5 = Inline80()
  var f6 = Inline80()
  var f7 = Inline80()
  var f8 = Inline80()
  var f9 = Inline80()
}

@JSONCodable
struct Inline8000 {
  var f0 = Inline800()
  var f1 = Inline800()
  var f2 = Inline800()
  var f3 = Inline800()
  var f4 = Inline800()
  var f5 = Inline800()
  var f6 = Inline800()
  var f7 = Inline800()
  var f8 = Inline800()
  var f9 = Inline800()
}

@Reducer
struct InlineState {
  struct State {
    var f0 = Inline8000()
    var f1 = Inline8000()
    var f2 = Inline8000()
    var f3 = Inline8000()
    var f4 = Inline8000()
    var f5 = Inline8000()
    var f6 = Inline8000()
    var f7 = Inline8000()
    var f8 = Inline8000()
    var f9 = Inline8000()
    var f10 = Inline8000()
    var f11 = Inline8000()
    var f12 = Inline8000()
    var count = 0
  }

  enum Action { case fill(Int), replace(Inline8000) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.count += 1
      switch action {
      case .fill(let number): state.f12.f9.f9.f9 = number
      case .replace(let value): state.f0 = value
      }
      return .none
    }
  }
}
