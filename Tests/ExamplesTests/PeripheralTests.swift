import HarnessSupport
import Penstock
import PenstockTesting
@testable import PeripheralFeature
import Testing

struct PeripheralTests {
  func store() -> TestStoreOf<Peripheral> {
    TestStore(initialState: Peripheral.State(name: "sensor")) { Peripheral() }
  }

  @Test func `readings come while it is connected, and disconnecting ends them`() async {
    let store = store()
    await store.send(.connect) { $0.connection = .connecting(attempt: 1) }
    let effect = await store.receive(
      effect: ConnectDevice(name: "sensor", attempt: 1), answer: .output(.connected))
    await store.receive(\.event.success, .connected) {
      $0.connection = .connected(Readings())
      $0.connections = 1
    }
    await effect.answer(.output(.reading(7)))
    await store.receive(\.event.success, .reading(7)) {
      var readings = Readings()
      readings.count = 1
      readings.last = 7
      $0.connection = .connected(readings)
    }
    // What the state does not allow changes nothing.
    await store.send(.connect)
    await store.send(.choose("other"))
    await store.send(.tryAgain)
    await store.send(.disconnect) { $0.connection = .idle }
    await store.finish()
  }

  @Test func `after three tries it is given up, and can be connected by hand`() async {
    let store = store()
    await store.send(.connect) { $0.connection = .connecting(attempt: 1) }
    for attempt in 1...3 {
      await store.receive(
        effect: ConnectDevice(name: "sensor", attempt: attempt),
        answer: .output(.lost("no answer")))
      await store.receive(\.event.success, .lost("no answer")) {
        $0.connection = attempt < 3 ? .waiting(attempt: attempt) : .failed(reason: "no answer")
      }
      guard attempt < 3 else { break }
      await store.advance(by: .milliseconds(50))
      await store.receive(\.tryAgain) { $0.connection = .connecting(attempt: attempt + 1) }
    }
    await store.send(.choose("other")) { $0.name = "other" }
    await store.send(.connect) { $0.connection = .connecting(attempt: 1) }
    await store.receive(effect: ConnectDevice(name: "other", attempt: 1))
    await store.send(.disconnect) { $0.connection = .idle }
  }

  @Test func `an operation that fails counts as a try`() async {
    let store = store()
    await store.send(.connect) { $0.connection = .connecting(attempt: 1) }
    await store.receive(
      effect: ConnectDevice(name: "sensor", attempt: 1),
      answer: .failure(Failure(code: "usb", message: "unplugged")))
    await store.receive(\.event.failure) { $0.connection = .waiting(attempt: 1) }
    await store.send(.disconnect) { $0.connection = .idle }
  }

  @Test(arguments: Harness.allCases)
  func `one device is given up while the other goes on giving readings`(
    harness: Harness
  ) async throws {
    let store = try harness.store(PeripheralApp(), executable: "peripheral")
    store.exhaustivity = .off
    await store.send(.connectBoth)
    await store.skipReceivedActions()
    let right = await store.receive(
      effect: ConnectDevice(name: "right-4", attempt: 1), answer: .output(.connected))
    for attempt in 1...3 {
      await store.receive(
        effect: ConnectDevice(name: "left-1", attempt: attempt), answer: .output(.lost("silent")))
      await store.skipReceivedActions()
      await store.advance(by: .milliseconds(50))
      await store.skipReceivedActions(strict: false)
    }
    await right.answer(.output(.reading(7)))
    await store.skipReceivedActions()
    #expect(store.state.failures == 1)
    #expect(store.state.left.connection == .failed(reason: "silent"))
    var readings = Readings()
    readings.count = 1
    readings.last = 7
    #expect(store.state.right.connection == .connected(readings))
    await store.send(.disconnectBoth)
    await store.skipReceivedActions()
    await store.finish()
  }

  @Test func `the simulated device fails as often as its name says`() {
    let driver = DeviceDriver.liveValue
    #expect(driver.events("left-1", 1) == [.lost("no answer to try 1")])
    #expect(driver.events("left-1", 2).first == .connected)
    #expect(driver.events("left", 1).count == 7)
  }
}
