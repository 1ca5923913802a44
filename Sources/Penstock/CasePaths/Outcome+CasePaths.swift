/// `\.response.success`: an action that says that an operation has an output.
extension Outcome: CasePathable {
  public struct AllCasePaths: Sendable {
    public var success: CasePath<Outcome, Success> {
      CasePath(
        names: ["success"], embed: { .success($0) },
        extract: { if case .success(let value) = $0 { value } else { nil } })
    }

    public var failure: CasePath<Outcome, Failure> {
      CasePath(
        names: ["failure"], embed: { .failure($0) },
        extract: { if case .failure(let failure) = $0 { failure } else { nil } })
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
