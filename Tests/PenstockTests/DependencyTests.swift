import Penstock
import Testing

/// What operations reach: live, in a preview, in a test, and as a command line says.
struct DependencyTests {
  private struct Weather: ConfigurableDependencyKey, Equatable {
    var text: String
    static let liveValue = Weather(text: "live")
    static let previewValue: Weather? = Weather(text: "preview")

    static func configured(by text: String) throws -> Weather {
      guard text != "" else { throw Failure(code: "empty", message: "no weather") }
      return Weather(text: text)
    }
  }

  private struct Clock: DependencyKey {
    static let liveValue = 1
  }

  /// nil is a value of it, as of a proxy that is not used.
  private struct Proxy: ConfigurableDependencyKey {
    static let liveValue: String? = "live"

    static func configured(by text: String) throws -> String? { text == "none" ? nil : text }
  }

  @Test(arguments: [nil, "replaced"])
  func `what is optional is live, and replaced by nil as by a value`(value: String?) {
    var values = DependencyValues()
    #expect(values[Proxy.self] == "live")
    #expect(values.previewing[Proxy.self] == "live")
    values[Proxy.self] = value
    #expect(values[Proxy.self] == value)
    #expect(values.previewing[Proxy.self] == value)
  }

  @Test(arguments: [("none", nil), ("configured", "configured")])
  func `a command line gives what is optional nil, or a value`(
    text: String, value: String?
  ) throws {
    var values = DependencyValues()
    values[Proxy.self] = "replaced"
    try values.configure(Proxy.self, by: text)
    #expect(values[Proxy.self] == value)
  }

  @Test func `what is not replaced is live`() {
    var values = DependencyValues()
    #expect(values[Weather.self].text == "live")
    values[Weather.self].text = "replaced"
    #expect(values[Weather.self].text == "replaced")
  }

  @Test func `a preview stands before what the application gave, and only where there is one`() {
    var values = DependencyValues()
    values[Weather.self].text = "replaced"
    values[Clock.self] = 2
    #expect(values.previewing[Weather.self].text == "preview")
    #expect(values.previewing[Clock.self] == 2)
  }

  @Test func `a command line stands before all`() throws {
    var values = DependencyValues().previewing
    try values.configure(Weather.self, by: "storm")
    values[Weather.self].text = "replaced"
    #expect(values[Weather.self].text == "storm")
    #expect(throws: Failure.self) { try values.configure(Weather.self, by: "") }
  }
}
