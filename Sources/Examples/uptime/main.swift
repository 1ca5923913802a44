import HTTP
import HTTPFeature
import Penstock
import PenstockRuntime
import UptimeFeature

var dependencies = DependencyValues()
dependencies[HTTPClient.self] = .curl
ApplicationMain.run(UptimeApp(), dependencies: dependencies)
