import Glibc

/// A directory that is made, or was empty, and the files that are written into it.
struct NewDirectory {
  let path: String

  init(_ path: String) throws(CommandFailure) {
    self.path = path
    try make(path)
    guard let entries = NewDirectory.entries(of: path) else { throw NewDirectory.failure(path) }
    guard entries.isEmpty else {
      throw CommandFailure(
        .refused, "PS-I04", "\(path) is not empty", "Nothing was written.",
        "Choose another name, or empty it.")
    }
  }

  func write(_ files: [(path: String, text: String)]) throws(CommandFailure) {
    for file in files {
      var partial = path
      for component in file.path.split(separator: "/").dropLast() {
        partial += "/\(component)"
        try make(partial)
      }
      try write(file.text, to: "\(path)/\(file.path)")
    }
  }

  /// The names in a directory; nil when it can't be read.
  static func entries(of path: String) -> [String]? {
    guard let directory = opendir(path) else { return nil }
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

  private func make(_ path: String) throws(CommandFailure) {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw NewDirectory.failure(path) }
  }

  private func write(_ text: String, to path: String) throws(CommandFailure) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw NewDirectory.failure(path) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = NewDirectory.failure(path)
        close(file)
        throw failure
      }
      rest = rest.dropFirst(count)
    }
    guard close(file) == 0 else { throw NewDirectory.failure(path) }
  }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure(
      .refused, "PS-I05", "can't write \(path): \(String(cString: strerror(errno)))")
  }
}
