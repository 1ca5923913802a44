import LoginFeature
import PenstockRuntime

ApplicationMain.run(LoginApp())
