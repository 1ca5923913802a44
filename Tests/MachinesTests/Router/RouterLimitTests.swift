import Machines
import PenstockCore
import Testing
import Wire

@Suite struct RouterLimitTests {
  private static let error = WireError(code: .tooLarge, message: "body: 20 MB.")

  @Test func `an answer to a question that no message can hold is replaced by the code`() throws {
    let reply = Message.reply(id: 7, status: 0, body: Bytes(repeating: 0, count: (16 << 20) + 1))
    let replacement = try #require(RouterMachine.replacement(for: reply, Self.error))
    guard case .reply(7, let status, let body) = replacement else {
      Issue.record("\(replacement)")
      return
    }
    #expect(status == ErrorCode.tooLarge.rawValue)
    #expect(String(decoding: body, as: UTF8.self) == #"{"message":"body: 20 MB."}"#)
    _ = try Codec.encode(replacement)
  }

  @Test func `who can't be told his state is not told another one`() {
    let state = StateMessage(subscription: 1, asOf: 1, body: .snapshot(nil))
    #expect(RouterMachine.replacement(for: .state(state), Self.error) == nil)
  }
}
