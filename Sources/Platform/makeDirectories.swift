import Glibc

/// Makes a directory and those above it, for this user alone.
/// - Returns: false when it can't; why is in `errno`.
func makeDirectories(_ path: String) -> Bool {
  var partial = ""
  for component in path.split(separator: "/") {
    partial += (partial.isEmpty && !path.hasPrefix("/") ? "" : "/") + component
    if mkdir(partial, 0o700) == 0 { continue }
    let failure = errno
    guard failure == EEXIST || access(partial, F_OK) == 0 else {
      errno = failure
      return false
    }
  }
  return true
}
