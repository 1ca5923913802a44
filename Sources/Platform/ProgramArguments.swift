/// This process's arguments as bytes: what Swift makes text of, it repairs without a word.
package enum ProgramArguments {
  /// The place of the first one that is no UTF-8, and what of it can be read.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    package var place: Int
    package var text: String

    package var description: String { "argument \(place) is no UTF-8: \(text.printable)" }
    package var remedy: String { "Names and paths are UTF-8; rename the file, or link to it" }
  }

  /// - Parameter arguments: without the program's own name.
  package static func fault(in arguments: some Sequence<[UInt8]>) -> Fault? {
    for (index, bytes) in arguments.enumerated()
    where String(validating: bytes, as: UTF8.self) == nil {
      return Fault(place: index + 1, text: String(decoding: bytes, as: UTF8.self))
    }
    return nil
  }

  /// Of this process.
  package static var fault: Fault? {
    let count = Int(CommandLine.argc)
    let vector = CommandLine.unsafeArgv
    return fault(
      in: (1..<max(1, count)).lazy.map { index in
        guard let start = vector[index] else { return [] }
        var length = 0
        while start[length] != 0 { length += 1 }
        return UnsafeRawBufferPointer(start: start, count: length).map { $0 }
      })
  }
}
