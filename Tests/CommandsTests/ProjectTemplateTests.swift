import Commands
import Testing

/// That the written package builds and runs, `Deploy/test init` shows.
@Suite struct ProjectTemplateTests {
  @Test(arguments: ["a b", "", "-a", "a-", "1a", "a/b", "é", "a.b", "a--b"])
  func `what is no name of a package is refused`(name: String) {
    #expect(ProjectTemplate(name: name, repository: "/x/penstock") == nil)
  }

  @Test func `names of targets and types come from the package's name`() throws {
    let template = try #require(ProjectTemplate(name: "my-2nd-app", repository: "/x/clone"))
    #expect(template.targets == ["my-2nd-app", "My2ndAppFeature", "My2ndAppFeatureTests"])
    #expect(
      template.files.map(\.path) == [
        "Package.swift", "README.md", "Sources/My2ndAppFeature/Fact.swift",
        "Sources/My2ndAppFeature/NumberFact.swift", "Sources/My2ndAppFeature/My2ndAppApp.swift",
        "Sources/my-2nd-app/main.swift", "Tests/My2ndAppFeatureTests/FactTests.swift",
        ".gitignore",
      ])
    let manifest = try #require(template.files.first).text
    #expect(manifest.contains(#"dependencies: [.package(name: "Penstock", path: "/x/clone")],"#))
    #expect(manifest.contains(#".product(name: "PenstockTesting", package: "Penstock")"#))
  }

  @Test func `the clone's directory may be called anything`() throws {
    let template = try #require(
      ProjectTemplate(name: "shop", repository: #"/x/my "clone"\it's.git"#))
    let manifest = try #require(template.files.first).text
    #expect(manifest.contains(#".package(name: "Penstock", path: "/x/my \"clone\"\\it's.git")"#))
    let readme = try #require(template.files.first { $0.path == "README.md" }).text
    #expect(readme.contains(#"'/x/my "clone"\it'\''s.git'/Deploy/supervisor up "#))
  }

  @Test func `the README names the package and where the tools are`() throws {
    let template = try #require(ProjectTemplate(name: "shop", repository: "/x/clone"))
    let readme = try #require(template.files.first { $0.path == "README.md" }).text
    #expect(readme.contains("/x/clone/Deploy/supervisor up .build/debug/shop\n"))
  }
}
