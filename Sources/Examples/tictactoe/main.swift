import TicTacToeFeature
import PenstockRuntime

ApplicationMain.run(TicTacToeApp())
