import Glibc

/// Says which seed it was when a machine trapped: its thread has the seed's name.
enum TrapReport {
  static func install() {
    for number in [SIGILL, SIGTRAP, SIGSEGV] {
      signal(number) { number in
        // Only what is safe in a handler; then the instruction traps again, and the process ends.
        var name = (Int64(0), Int64(0))
        withUnsafeMutableBytes(of: &name) { bytes in
          let text = bytes.assumingMemoryBound(to: CChar.self)
          pthread_getname_np(pthread_self(), text.baseAddress!, 16)
          write(2, text.baseAddress!, strlen(text.baseAddress!))
        }
        write(2, " trapped\n", 9)
        signal(number, SIG_DFL)
      }
    }
  }
}
