public import Penstock

/// Knows who is who. The live one has two accounts of its own, so that the example needs no network.
public struct IdentityService: DependencyKey {
  public var authenticate:
    @Sendable (_ email: String, _ password: String) async throws ->
      Authentication
  public var verify: @Sendable (_ token: String, _ code: String) async throws -> Authentication

  public init(
    authenticate: @escaping @Sendable (String, String) async throws -> Authentication,
    verify: @escaping @Sendable (String, String) async throws -> Authentication
  ) {
    self.authenticate = authenticate
    self.verify = verify
  }

  public static let liveValue = IdentityService(
    authenticate: { email, password in
      switch (email, password) {
      case ("ada@example.org", "engine"): return Authentication(token: "ada")
      case ("grace@example.org", "compiler"):
        return Authentication(token: "grace", needsCode: true)
      default: throw refused("The address or the password is wrong")
      }
    },
    verify: { token, code in
      guard code == "1234" else { throw refused("The code is wrong") }
      return Authentication(token: token)
    })

  private static func refused(_ message: String) -> Failure {
    Failure(code: "refused", message: message)
  }
}
