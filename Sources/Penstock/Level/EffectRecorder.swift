/// Where the effects of a level's logic go, with complete addresses.
protocol EffectRecorder {
  var sends: [Send] { get set }
  var effects: [EffectCommand] { get set }
  var diagnostics: [String] { get set }
  /// What takes away the innermost presented feature around the level that runs.
  var dismissal: Send? { get set }
}
