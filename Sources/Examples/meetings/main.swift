import MeetingsFeature
import Penstock
import PenstockRuntime

var dependencies = DependencyValues()
dependencies[SpeechRecognizer.self].pause = { try await Task.sleep(for: .milliseconds(20)) }
ApplicationMain.run(MeetingsApp(), dependencies: dependencies)
