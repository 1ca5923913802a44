package enum Role: UInt8, Hashable, Sendable, CaseIterable {
  case client = 1
  case feature = 2
  case worker = 3
}
