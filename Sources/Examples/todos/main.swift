import TodosFeature
import PenstockRuntime

ApplicationMain.run(TodosApp())
