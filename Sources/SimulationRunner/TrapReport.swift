import CSystem
import Glibc

/// Says which seed it was when a machine trapped: its thread has the seed's name.
enum TrapReport {
  static func install() {
    for number in [SIGILL, SIGTRAP, SIGSEGV] {
      signal(number) { number in
        penstock_print_thread(" trapped\n")
        // The instruction traps again, and the process ends.
        signal(number, SIG_DFL)
      }
    }
  }
}
