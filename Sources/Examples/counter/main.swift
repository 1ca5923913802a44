import CounterFeature
import Glibc
import HTTP
import HTTPFeature
import Penstock
import PenstockRuntime

var dependencies = DependencyValues()
dependencies[HTTPClient.self] = .curl
if let url = getenv("COUNTER_NUMBER_SERVICE") {
  dependencies[NumberService.self] = NumberService(url: String(cString: url))
}
ApplicationMain.run(CounterApp(), dependencies: dependencies)
