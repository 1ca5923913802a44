import Commands
import Glibc

exit(CommandRun.main(Array(CommandLine.arguments.dropFirst())))
