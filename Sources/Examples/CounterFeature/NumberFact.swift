internal import HTTPFeature
public import Penstock

/// Asks the number service for a fact.
@Operation
public struct NumberFact {
  public var number: Int

  public init(number: Int) { self.number = number }

  public func run(_ context: OperationContext) async throws -> String {
    let service = context.dependencies[NumberService.self]
    let response = try await context.dependencies[HTTPClient.self].get(
      "\(service.url)/\(number)", 5000)
    guard response.status == 200 else {
      throw Failure(code: "no-fact", message: "the number service answered \(response.status)")
    }
    return response.body
  }
}

/// Where the number service is.
public struct NumberService: ConfigurableDependencyKey {
  public var url: String

  public init(url: String) { self.url = url }

  public static var liveValue: NumberService { NumberService(url: "http://127.0.0.1:8077") }

  public static func configured(by text: String) throws -> NumberService {
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
      throw Failure(code: "no-url", message: "not the URL of a number service")
    }
    return NumberService(url: text)
  }
}
