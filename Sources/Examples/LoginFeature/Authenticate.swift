public import Penstock

/// Asks the identity service who somebody is.
@Operation
public struct Authenticate {
  public var email: String
  public var password: String

  public func run(_ context: OperationContext) async throws -> Authentication {
    try await context.dependencies[IdentityService.self].authenticate(email, password)
  }
}

/// Asks it whether the code is the one that it sent.
@Operation
public struct VerifyCode {
  public var token: String
  public var code: String

  public func run(_ context: OperationContext) async throws -> Authentication {
    try await context.dependencies[IdentityService.self].verify(token, code)
  }
}

/// What the identity service answers.
@JSONCodable
public struct Authentication {
  public var token: String
  /// A code has to be given before the token is good for anything.
  public var needsCode: Bool

  public init(token: String, needsCode: Bool = false) {
    self.token = token
    self.needsCode = needsCode
  }
}
