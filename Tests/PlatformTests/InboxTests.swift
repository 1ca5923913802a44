import Platform
import Testing
import ZeroMQ

@Suite struct InboxTests {
  @Test func `batches arrive in order and wake the poller once`() throws {
    let inbox = Inbox<Int>()
    inbox.put([1, 2])
    inbox.put(3)
    var poller = Poller()
    let index = poller.add(fileDescriptor: inbox.fileDescriptor)
    try poller.wait(milliseconds: 0)
    #expect(poller.isReady(index))
    #expect(inbox.take() == [1, 2, 3])
    try poller.wait(milliseconds: 0)
    #expect(!poller.isReady(index))
    #expect(inbox.take() == [])
  }
}
