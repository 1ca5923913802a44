import CSQLite
import Machines
import PenstockCore

/// One prepared statement.
final class Statement {
  private let handle: OpaquePointer
  private let database: Database
  private var functions: penstock_sqlite { database.functions }

  init(_ handle: OpaquePointer, database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { _ = functions.finalize(handle) }

  /// - Returns: whether there is a row.
  func step() throws(JournalError) -> Bool {
    let code = functions.step(handle)
    if code == PENSTOCK_SQLITE_ROW { return true }
    if code != PENSTOCK_SQLITE_DONE {
      _ = functions.reset(handle)
      try database.check(code)
    }
    return false
  }

  /// Runs the statement and makes it ready for the next values.
  func run() throws(JournalError) {
    _ = try step()
    try database.check(functions.reset(handle))
  }

  /// The first column of the first row; the statement is ready for the next values then.
  func first() throws(JournalError) -> Int64? {
    let value = try step() && !isNull(0) ? integer(0) : nil
    try database.check(functions.reset(handle))
    return value
  }

  func bind(_ index: Int32, _ value: Int64?) throws(JournalError) {
    if let value {
      try database.check(functions.bind_int64(handle, index, value))
    } else {
      try database.check(functions.bind_null(handle, index))
    }
  }

  func bind(_ index: Int32, _ value: String?) throws(JournalError) {
    guard let value else { return try database.check(functions.bind_null(handle, index)) }
    var code: Int32 = 0
    var value_ = value
    value_.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        code = functions.bind_text(handle, index, $0.baseAddress, Int32($0.count), Self.copies)
      }
    }
    try database.check(code)
  }

  /// The value must stay as it is until the statement has run.
  func bind(_ index: Int32, _ value: UnsafeRawBufferPointer, isText: Bool) throws(JournalError) {
    let size = Int32(value.count)
    if value.isEmpty {
      return try database.check(functions.bind_text(handle, index, "", 0, nil))
    }
    if isText {
      let text = value.baseAddress?.assumingMemoryBound(to: CChar.self)
      try database.check(functions.bind_text(handle, index, text, size, nil))
    } else {
      try database.check(functions.bind_blob(handle, index, value.baseAddress, size, nil))
    }
  }

  func integer(_ column: Int32) -> Int64 { functions.column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool {
    functions.column_type(handle, column) == PENSTOCK_SQLITE_NULL
  }

  func unsigned(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

  /// All of it: what people name things by may hold a NUL.
  func text(_ column: Int32) -> String? {
    guard let start = functions.column_text(handle, column) else { return nil }
    let count = Int(functions.column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int32) -> Bytes {
    guard let start = functions.column_blob(handle, column) else { return [] }
    let count = Int(functions.column_bytes(handle, column))
    return Bytes(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Tells SQLite to copy a value at once.
  private static var copies: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? {
    unsafeBitCast(-1, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?.self)
  }
}
