import Glibc

/// The directory of Penstock's own package, which a new one depends on.
struct PenstockRepository {
  /// Absolute and without links: SwiftPM knows a package by the last component.
  let path: String

  /// - Parameter named: what the user says; nil means the one that this executable was built in.
  init(_ named: String?) throws(CommandFailure) {
    let start = named ?? "/proc/self/exe"
    var path = PenstockRepository.resolved(start)
    if named == nil {
      while let candidate = path, !PenstockRepository.isRepository(candidate) {
        path = candidate.lastIndex(of: "/").map { String(candidate[..<$0]) }
      }
    }
    guard let path, PenstockRepository.isRepository(path) else {
      throw CommandFailure(
        .noSuchName, "PS-I03",
        named.map { "\($0) is not the directory of Penstock" }
          ?? "this executable does not lie in the directory of Penstock",
        "Name the clone of the repository: --path PATH")
    }
    self.path = path
  }

  /// What SwiftPM calls the package: its directory, in small letters.
  var name: String { (path.split(separator: "/").last ?? "").lowercased() }

  /// The names of what an application links of it.
  var targets: Set<String> { Set(NewDirectory.entries(of: "\(path)/Sources") ?? []) }

  private static func isRepository(_ path: String) -> Bool {
    access("\(path)/Package.swift", R_OK) == 0 && access("\(path)/Sources/PenstockCore", R_OK) == 0
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
