package struct Refusal: Hashable, Sendable, Error {
  package var code: ErrorCode
  package var message: String

  package init(code: ErrorCode, message: String) {
    self.code = code
    self.message = message
  }
}
