import Commands
import Testing

@Suite struct ShellWordTests {
  @Test(arguments: [
    ("/a/b-c_d.e+1", "/a/b-c_d.e+1"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("$x", "'$x'"),
    ("", "''"), ("~", "'~'"), ("a\nb", "'a\nb'"),
  ])
  func `a text is one word for the shell`(text: String, word: String) {
    #expect(text.shellWord == word)
  }
}
