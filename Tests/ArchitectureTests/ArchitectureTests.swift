import Foundation
import Testing

@Suite struct ArchitectureTests {
  static let longestFile = 600

  @Test func `every target has a layer`() throws {
    for target in Set(try SourceFile.all(below: "Sources").map(\.target)).sorted() {
      #expect(Layer.of(target) != nil, "\(target) has no place in Layers.swift")
    }
  }

  @Test func `imports go to lower layers only`() throws {
    for file in try SourceFile.all(below: "Sources") {
      guard let layer = Layer.of(file.target) else { continue }
      for module in file.imports {
        guard let other = Layer.of(module) else { continue }
        #expect(
          other.name == layer.name || layer.below.contains(other.name),
          "\(file.path): \(layer.name) must not import \(module) (\(other.name))")
      }
    }
  }

  @Test func `pure layers import nothing that does I/O`() throws {
    for file in try SourceFile.all(below: "Sources") {
      guard let layer = Layer.of(file.target), layer.isPure else { continue }
      for module in file.imports where Layer.of(module) == nil {
        #expect(
          Layer.isAllowedInPureCode(module, in: file.target),
          "\(file.path): the pure \(file.target) must not import \(module)")
      }
    }
  }

  @Test func `pure layers read no clock and draw nothing`() throws {
    for file in try SourceFile.all(below: "Sources") {
      guard let layer = Layer.of(file.target), layer.isPure, layer.name != "macros" else {
        continue
      }
      for (number, text) in file.code {
        for name in Layer.impureNames where text.contains(name) {
          Issue.record("\(file.path):\(number) uses \(name)")
        }
      }
    }
  }

  @Test func `a code of the command line belongs to one file, so that it means one thing`() throws {
    var owners: [String: Set<String>] = [:]
    for file in try SourceFile.all(below: "Sources") {
      for (_, text) in file.code {
        for match in text.matches(of: /"(PS-[A-Z][0-9]+)"/) {
          owners[String(match.1), default: []].insert(file.path)
        }
      }
    }
    #expect(owners.count > 20)
    for (code, files) in owners where files.count > 1 {
      Issue.record("\(code) is in \(files.sorted().joined(separator: " and "))")
    }
  }

  @Test(arguments: [
    ("microseconds of a duration", "attoseconds / "), ("a word for the shell", #"'\\''"#),
  ])
  func `what is written once is in one file`(thing: String, text: String) throws {
    let files = try (SourceFile.all(below: "Sources") + SourceFile.all(below: "Tests"))
      .filter { $0.target != "ArchitectureTests" }
      .filter { file in file.code.contains { $0.text.contains(text) } }
    #expect(files.count == 1, "\(thing): \(files.map(\.path))")
  }

  @Test func `no file is too long`() throws {
    for file in try SourceFile.all(below: "Sources") + SourceFile.all(below: "Tests") {
      #expect(
        file.lines.count <= Self.longestFile,
        "\(file.path) has \(file.lines.count) lines, at most \(Self.longestFile) are allowed")
    }
  }

  @Test func `the top level holds what belongs there`() throws {
    let allowed: Set = [
      "Package.swift", "Package.resolved", "Sources", "Tests", "Deploy", "Protocols", "README.md",
      "LICENSE", "CHANGELOG.md",
    ]
    let names = try FileManager.default.contentsOfDirectory(atPath: SourceFile.package.path)
    for name in names.sorted() where !name.hasPrefix(".") {
      #expect(allowed.contains(name), "\(name) does not belong at the top level")
    }
  }

  @Test(arguments: [
    ("import Glibc", ["Glibc"]), ("package import Wire", ["Wire"]), ("  // import X", []),
    ("@_spi(Testing) public import Penstock", ["Penstock"]), ("let x = 1", []),
    ("import struct Foundation.Date", ["Foundation"]),
  ])
  func `imports are recognised in all their forms`(line: String, modules: [String]) {
    #expect(SourceFile(target: "X", path: "X.swift", lines: [line]).imports == modules)
  }

  @Test func `what a literal says is no import`() {
    let lines = ["import A", "let x = \"\"\"", "import B", "  \"\"\"", "import C"]
    #expect(SourceFile(target: "X", path: "X.swift", lines: lines).imports == ["A", "C"])
  }

  @Test func `a breach would be found`() throws {
    #expect(Layer.of("Machines")?.below.contains("shells") == false)
    #expect(Layer.of("UptimeFeature")?.name == "features")
    #expect(!Layer.isAllowedInPureCode("Glibc", in: "Wire"))
    #expect(!Layer.isAllowedInPureCode("FoundationEssentials", in: "Wire"))
    #expect(Layer.isAllowedInPureCode("FoundationEssentials", in: "Penstock"))
    #expect(Layer.of("Nonsense") == nil)
  }
}
