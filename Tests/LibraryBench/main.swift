import Foundation
import Glibc

// library-bench ROUNDS SECONDS: nanoseconds of the thread's processor time for each subject, round by
// round, as JSON. All subjects run in every round, so that what slows the machine for a while slows
// them alike.
let arguments = CommandLine.arguments.dropFirst().compactMap(Double.init)
guard arguments.count == 2, arguments[0] >= 1, arguments[1] > 0 else {
  FileHandle.standardError.write(Data("usage: library-bench ROUNDS SECONDS\n".utf8))
  exit(64)
}
let subjects = try Subject.all()
let seconds = arguments[1] / Double(subjects.count)

func nanoseconds(_ subject: Subject, _ count: Int) throws -> Double {
  let start = processorTime()
  try subject.run(count)
  return Double(processorTime() - start) / Double(count)
}

/// Nanoseconds that this thread has run.
func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

let counts = try subjects.map { subject in
  var count = 16
  while try nanoseconds(subject, count) * Double(count) < seconds * 1e8 { count *= 2 }
  return max(1, Int(seconds * 1e9 / (try nanoseconds(subject, count))))
}
var rounds = subjects.map { _ in [Double]() }
for _ in 0..<Int(arguments[0]) {
  for (index, subject) in subjects.enumerated() {
    rounds[index].append(try nanoseconds(subject, counts[index]))
  }
}
struct Measured: Encodable {
  let name: String
  let rounds: [Double]
}
let rows = zip(subjects, rounds).map { Measured(name: $0.name, rounds: $1) }
FileHandle.standardOutput.write(try JSONEncoder().encode(rows))
