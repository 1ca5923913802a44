package import PenstockCore

extension Sequence<JournalEntry> {
  /// The order, with its marks merged into it (J-3).
  package var order: [OrderRecord] {
    var records: [OrderRecord] = []
    for entry in self {
      switch entry {
      case .record(let record): records.append(record)
      case .mark(let sequence, let reason):
        guard let first = records.first, sequence >= first.sequence else { continue }
        let index = Int(sequence - first.sequence)
        if index < records.count { records[index].mark = reason }
      case .start, .checkpoint, .build: continue
      }
    }
    return records
  }
}
