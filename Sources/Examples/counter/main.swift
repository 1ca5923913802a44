import CounterFeature
import HTTP
import HTTPFeature
import Penstock
import PenstockRuntime

var dependencies = DependencyValues()
dependencies[HTTPClient.self] = .curl
ApplicationMain.run(CounterApp(), dependencies: dependencies)
