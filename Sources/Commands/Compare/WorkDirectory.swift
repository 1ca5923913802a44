import Glibc

/// A temporary directory. It goes away with this value, unless somebody wants to look at it.
final class WorkDirectory {
  let path: String
  var isKept = false

  init() throws(CommandFailure) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/penstock-XXXXXX".utf8CString)
    guard template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) != nil else {
      throw CommandFailure(
        .refused, "PS-K04",
        "can't make a directory in \(base): \(String(cString: strerror(errno)))")
    }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { if !isKept { Self.remove(path) } }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  var isEmpty: Bool { Self.names(in: path).isEmpty }

  private static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    var information = stat()
    if lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR {
      for name in names(in: path) { remove("\(path)/\(name)") }
    }
    Glibc.remove(path)
  }
}
