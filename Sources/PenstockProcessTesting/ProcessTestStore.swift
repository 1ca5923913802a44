public import FoundationEssentials
import Glibc
public import Penstock
public import PenstockTesting

/// A test store whose scopes are processes: the same body of a test runs on it and on a `TestStore`.
///
/// ```swift
/// func facts(_ store: TestStoreOf<TwoCounters>) async {
///   await store.send(.left(.askFact)) { $0.left.isLoading = true }
///   await store.receive(effect: NumberFact(number: 0), answer: .output("zero")) …
/// }
/// await facts(TestStore(CounterApp()))
/// await facts(try ProcessTestStore(CounterApp(), executable: "counter"))
/// ```
///
/// It starts the application's executable once for each scope that can have a process, with a router
/// of their own in a temporary directory, and is client, tap and the only worker of that system: no
/// operation runs, each gives what the test answers. Nothing waits for a time; only a silence of 20
/// seconds is a failure. After each action the state of the processes is also compared with that of a
/// replay in the test.
///
/// Order time is the test's, as in a `TestStore`: it stands still until `advance(by:)`. What reducers
/// draw is the order's; another value of `inputs` is a failure.
public final class ProcessTestStore<App: PenstockApp>:
  TestStore<App.Root.State, App.Root.Action>
{
  /// Starts the processes, and returns when all of them are there.
  /// - Parameters:
  ///   - initialState: how it begins; nil for the application's own first state.
  ///   - executable: the application's executable of the same build, as a path or a name. A name is
  ///     looked for beside the test and on the PATH.
  ///   - scopes: the scopes that get processes of their own; nil for all that can.
  ///   - now: order time at the beginning; `advance(by:)` moves it.
  ///   - queues: the queues of the application's operations.
  /// - Throws: when the executable is not there, or the processes don't come up; with the reason.
  public init(
    _ app: App, initialState: App.Root.State? = nil, executable: String,
    placing scopes: [Path]? = nil, now: Date = Date(timeIntervalSince1970: 0),
    queues: [String] = ["default"], fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws {
    let run = try ProcessRun(
      StartedApp(app, initialState), isOwnState: initialState == nil,
      executable: try Self.find(executable), scopes: scopes, queues: queues,
      now: Int64((now.timeIntervalSince1970 * 1_000_000).rounded()))
    super.init(
      engine: run,
      place: Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private static func find(_ name: String) throws -> String {
    if name.contains("/") { return name }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    let directories = [besideTest] + path.split(separator: ":").map(String.init)
    for directory in directories where access("\(directory)/\(name)", X_OK) == 0 {
      return "\(directory)/\(name)"
    }
    throw TestEngineFailure(
      """
      There is no executable \(name) in \(besideTest), nor on the PATH. Make it a dependency of the \
      test target, so that it is built before the test.
      """)
  }

  /// The directory of the test's own executable.
  private static var besideTest: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    let text = String(cString: path)
    return text.lastIndex(of: "/").map { String(text[..<$0]) } ?? ""
  }
}
