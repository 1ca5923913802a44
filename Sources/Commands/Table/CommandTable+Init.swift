extension CommandTable {
  static let `init` = Command(
    name: .`init`, usage: "NAME", words: 1...1,
    summary: "Write a small application to begin with",
    details: [
      "NAME is the package and its directory, which must be new or empty; with slashes, the last part "
        + "is the package's name. In it are a feature, an operation, a test and a README that says how "
        + "to build, test and run it. It depends on Penstock by path."
    ],
    options: [
      Option(
        "--path", value: "PATH",
        help: "The clone of Penstock (default: the one in which this executable was built)")
    ],
    examples: ["penstock init myapp", "penstock init /tmp/myapp --path ~/penstock"])
}
