import PeripheralFeature
import PenstockRuntime

ApplicationMain.run(PeripheralApp())
