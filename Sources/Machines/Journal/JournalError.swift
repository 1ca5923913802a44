package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a journal; the words are in 7/ERRORS and never change.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// It can't be opened, read or written, for a reason without a code of its own.
    case failed = "journal-failed"
    /// Another router has it.
    case taken = "journal-taken"
    /// A newer router took it over.
    case fenced = "journal-fenced"
    /// An entry is not what was written, or is not there.
    case damaged = "journal-damaged"
    /// Written by a newer version.
    case newer = "journal-newer"
    /// Another application's.
    case otherApplication = "journal-application"
    /// The file was there and is gone.
    case missing = "journal-missing"
    /// Its disk is full.
    case full = "journal-full"
    /// A write or a sync failed.
    case notWritten = "journal-not-written"
    /// The file that is to be written is there already.
    case exists = "journal-exists"

    package var word: String { rawValue }

    /// Whether another start with the same file can't help.
    package var isMismatch: Bool {
      switch self {
      case .damaged, .newer, .otherApplication, .missing: true
      case .failed, .taken, .fenced, .full, .notWritten, .exists: false
      }
    }
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
