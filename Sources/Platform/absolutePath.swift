import Glibc

/// The path from the root of the file system, which says the same wherever it is read.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
  defer { free(current) }
  return "\(String(cString: current))/\(path)"
}
