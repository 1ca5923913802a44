@testable import LoginFeature
import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@Suite(.serialized) struct LoginTests {
  func store(_ harness: Harness) throws -> TestStoreOf<Entrance> {
    try harness.store(LoginApp(), executable: "login")
  }

  /// Typed and submitted; the service has not answered yet.
  func submitted(
    _ harness: Harness, _ email: String, _ password: String
  ) async throws -> TestStoreOf<Entrance> {
    let store = try store(harness)
    await store.send(.enter) { $0.login = Login.State() }
    await store.send(.login(.presented(.binding(.set(\.email, email))))) {
      $0.login?.email = email
    }
    await store.send(.login(.presented(.binding(.set(\.password, password))))) {
      $0.login?.password = password
    }
    await store.send(.login(.presented(.submit))) { $0.login?.isLoading = true }
    return store
  }

  @Test(arguments: Harness.allCases)
  func `who gives the right password is let in`(harness: Harness) async throws {
    let store = try await submitted(harness, "ada@example.org", "engine")
    await store.receive(
      effect: Authenticate(email: "ada@example.org", password: "engine"),
      answer: .output(Authentication(token: "ada")))
    await store.receive(\.login.presented.answered.success) { $0.login?.isLoading = false }
    await store.receive(\.login.presented.signedIn, "ada") {
      $0.user = "ada"
      $0.login = nil
    }
    await store.send(.enter)
    await store.send(.signOut) { $0.user = nil }
  }

  @Test(arguments: Harness.allCases)
  func `a wrong password is told until something is typed`(harness: Harness) async throws {
    let store = try await submitted(harness, "ada@example.org", "guess")
    await store.receive(
      effect: Authenticate(email: "ada@example.org", password: "guess"),
      answer: .failure(Failure(code: "refused", message: "wrong")))
    await store.receive(\.login.presented.answered.failure) {
      $0.login?.isLoading = false
      $0.login?.error = "wrong"
    }
    await store.send(.login(.presented(.binding(.set(\.password, "engine"))))) {
      $0.login?.password = "engine"
      $0.login?.error = nil
    }
  }

  @Test(arguments: Harness.allCases)
  func `an empty form asks nobody`(harness: Harness) async throws {
    let store = try store(harness)
    await store.send(.enter) { $0.login = Login.State() }
    await store.send(.login(.presented(.submit))) {
      $0.login?.error = "An address and a password are needed"
    }
  }

  @Test(arguments: Harness.allCases)
  func `leaving the screen cancels what was asked`(harness: Harness) async throws {
    let store = try await submitted(harness, "ada@example.org", "engine")
    await store.receive(effect: Authenticate(email: "ada@example.org", password: "engine"))
    await store.send(.leave) { $0.login = nil }
    await store.finish()
  }

  @Test(arguments: Harness.allCases)
  func `a second factor is asked for and can be taken back`(harness: Harness) async throws {
    let store = try await submitted(harness, "grace@example.org", "compiler")
    await store.receive(
      effect: Authenticate(email: "grace@example.org", password: "compiler"),
      answer: .output(Authentication(token: "grace", needsCode: true)))
    await store.receive(\.login.presented.answered.success) {
      $0.login?.isLoading = false
      $0.login?.code = CodeEntry.State(token: "grace")
    }
    await store.send(.login(.presented(.code(.presented(.binding(.set(\.code, "1234"))))))) {
      $0.login?.code?.code = "1234"
    }
    await store.send(.login(.presented(.code(.presented(.submit))))) {
      $0.login?.code?.isLoading = true
    }
    await store.receive(effect: VerifyCode(token: "grace", code: "1234"))
    await store.send(.login(.presented(.code(.presented(.cancel)))))
    await store.receive(\.login.presented.code.dismiss) { $0.login?.code = nil }
    await store.finish()
  }

  @Test func `the live service knows its accounts`() async throws {
    let service = IdentityService.liveValue
    #expect(try await service.authenticate("ada@example.org", "engine").token == "ada")
    #expect(try await service.authenticate("grace@example.org", "compiler").needsCode)
    #expect(try await service.verify("grace", "1234") == Authentication(token: "grace"))
    await #expect(throws: Failure.self) { try await service.verify("grace", "1") }
    await #expect(throws: Failure.self) { try await service.authenticate("ada@example.org", "") }
  }
}
