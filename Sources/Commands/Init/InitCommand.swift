import Glibc

/// `penstock init`: a small, complete package that depends on this one.
struct InitCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run() throws -> Int32 {
    let directory = invocation.words[0]
    let name = directory.split(separator: "/").last.map(String.init) ?? directory
    let repository = try PenstockRepository(invocation.value("path"))
    guard let template = ProjectTemplate(name: name, repository: repository.path) else {
      throw CommandFailure(
        .usage, "PS-I01", "\"\(name)\" can't be the name of a package",
        "A name has letters, digits and - between them, and begins with a letter.")
    }
    if name.lowercased() == repository.name
      || !repository.targets.isDisjoint(with: template.targets)
    {
      throw CommandFailure(
        .usage, "PS-I02", "\"\(name)\" is the name of something in Penstock itself",
        "A package can't have its name, or that of one of its targets, and depend on it.",
        "Choose another name.")
    }
    try NewDirectory(directory).write(template.files)
    try output.write(template.files.map { "\(directory)/\($0.path)\n" }.joined())
    output.remark("Next: cd \(directory) && swift build && swift test\nREADME.md says more.\n")
    return 0
  }
}
