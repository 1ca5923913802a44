import Foundation
import Penstock
import PenstockCore

extension Subject {
  static func all() throws -> [Subject] {
    try reducing() + nesting() + rows()
      + coding("action", Step.Action.add(42)) + coding("1 kB", Kilobyte())
  }

  /// The closure gets a decoded action; the library the bytes of one, and answers with all that
  /// there is to know of the transition.
  private static func reducing() throws -> [Subject] {
    var state = Step.State()
    let closures = [Step.reduce]
    let actions = [Step.Action.add(1), .add(2)]
    let payload = Array(#"{"add":1}"#.utf8)
    return [
      Subject(name: "reduce: bare closure") { count in
        for index in 0..<count { keep(closures[0](&state, actions[index & 1])) }
      },
      Subject(name: "reduce: decoding and bare closure") { count in
        for _ in 0..<count {
          keep(closures[0](&state, try JSONReader.decode(from: payload)))
        }
      },
      try .reducing("reduce: library", Step(), Step.State(), #"{"add":1}"#),
      try .reducing(
        "reduce: library, with patch", Step(), Step.State(), #"{"add":1}"#, wantsPatch: true),
    ]
  }

  private static func nesting() throws -> [Subject] {
    let action = #"{"add":1}"#
    return [
      try .reducing("nesting: 1", Nested1(), .init(), at: "/child", action),
      try .reducing("nesting: 2", Nested2(), .init(), at: "/child/child", action),
      try .reducing("nesting: 4", Nested4(), .init(), at: "/child/child/child/child", action),
    ]
  }

  private static func rows() throws -> [Subject] {
    try [10, 10_000].map { count in
      try .reducing(
        "rows: \(count)", Rows(), Rows.state(count), at: "/rows/\(count / 2)", #""toggle""#,
        wantsPatch: true)
    }
  }

  private static func coding<Value: JSONCodable & Codable & Equatable>(
    _ name: String, _ value: Value
  ) throws -> [Subject] {
    let bytes = JSONWriter.bytes(of: value)
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    let data = try encoder.encode(value)
    let decoded = try decoder.decode(Value.self, from: data)
    precondition(decoded == value, "\(name) is coded as something else")
    return [
      Subject(name: "\(name): copy of \(bytes.count) bytes") { count in
        for _ in 0..<count { keep(bytes.withUnsafeBufferPointer { Array($0) }) }
      },
      Subject(name: "\(name): encode, emitted") { count in
        for _ in 0..<count { keep(JSONWriter.bytes(of: value)) }
      },
      Subject(name: "\(name): encode, JSONEncoder") { count in
        for _ in 0..<count { keep(try encoder.encode(value)) }
      },
      Subject(name: "\(name): decode, emitted") { count in
        for _ in 0..<count { keep(try JSONReader.decode(Value.self, from: bytes)) }
      },
      Subject(name: "\(name): decode, JSONDecoder") { count in
        for _ in 0..<count { keep(try decoder.decode(Value.self, from: data)) }
      },
    ]
  }
}
