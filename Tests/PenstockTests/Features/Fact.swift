import FoundationEssentials
import Penstock

/// The feature of the README: everything that a macro has to write is in it.
@Reducer
struct Fact {
  struct State {
    var number = 0
    var fact: String?
    var isLoading = false
    let started: Date
    var theme = Theme.light
    var pairs: OrderedDictionary<String, [Int]> = [:]
    var slow = Slow(value: 1)
  }

  enum Action {
    case numberChanged(Int)
    case moved(x: Int, y: Int?)
    case labelled(text: String)
    case askTapped, cancelTapped
    case response(Outcome<String>)
  }

  enum CancelID { case fact }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .numberChanged(let number):
        state.number = number
        return .none
      case .moved, .labelled: return .none
      case .askTapped:
        state.isLoading = true
        return .run(NumberFact(number: state.number), to: \.response)
          .cancellable(id: CancelID.fact, cancelInFlight: true)
      case .cancelTapped:
        state.isLoading = false
        return .cancel(id: CancelID.fact)
      case .response(.success(let fact)):
        state.isLoading = false
        state.fact = fact
        return .none
      case .response(.failure):
        state.isLoading = false
        return .none
      }
    }
  }
}

@JSONCodable
enum Theme { case light, dark, custom(red: Int, green: Int = 7) }

/// A type that only Foundation's coder knows.
struct Slow: Codable, Equatable, Sendable { var value: Int }

@Operation
struct NumberFact {
  var number: Int

  func run(_ context: OperationContext) async throws -> String {
    "\(number) is the number after \(number - 1)"
  }
}
