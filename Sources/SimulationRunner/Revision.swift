import Glibc
import PenstockCore
import Platform

/// Which source a seed belongs to: another revision makes another run of it.
package enum Revision {
  /// The commit of the checkout that the executable was built in, or the version without one.
  package static let current: String = {
    var buffer = [CChar](repeating: 0, count: 4_096)
    guard readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 else { return Release.version }
    var directory = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    while let slash = directory.lastIndex(of: "/") {
      directory = String(directory[..<slash])
      if let commit = commit(of: "\(directory)/.git") { return String(commit.prefix(12)) }
    }
    return Release.version
  }()

  private static func commit(of repository: String) -> String? {
    guard let head = text(of: "\(repository)/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return head }
    let reference = String(head.dropFirst(5))
    if let commit = text(of: "\(repository)/\(reference)") { return commit }
    return text(of: "\(repository)/packed-refs")?.split(separator: "\n")
      .first { $0.hasSuffix(" \(reference)") }.map { String($0.prefix { $0 != " " }) }
  }

  private static func text(of file: String) -> String? {
    guard let bytes = TextFile.read(file) else { return nil }
    return String(decoding: bytes.reversed().drop { $0 == 10 }.reversed(), as: UTF8.self)
  }
}
