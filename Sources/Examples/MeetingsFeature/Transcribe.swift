public import Penstock

/// Listens to a meeting: what is said are its outputs.
@Operation
public struct Transcribe: StreamingOperation {
  public var meeting: Int

  public func run(
    _ context: OperationContext, output: OutputSink<String>
  ) async throws {
    let recognizer = context.dependencies[SpeechRecognizer.self]
    for line in recognizer.lines(meeting).dropFirst(Int(context.nextIndex)) {
      try await recognizer.pause()
      try await output(line)
    }
  }
}

/// Hears. The live one has a script, and nobody speaks; a worker lets time pass between the lines.
public struct SpeechRecognizer: DependencyKey {
  public var lines: @Sendable (_ meeting: Int) -> [String]
  /// Waits until the next line is said.
  public var pause: @Sendable () async throws -> Void

  public init(
    lines: @escaping @Sendable (Int) -> [String],
    pause: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.lines = lines
    self.pause = pause
  }

  public static let liveValue = SpeechRecognizer(
    lines: { meeting in (1...200).map { "line \($0) of meeting \(meeting)" } })
}
