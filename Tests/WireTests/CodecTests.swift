import PenstockCore
import Simulation
import Testing
import Wire
import WireTestSupport

@Suite struct CodecTests {
  private static let header = LinkHeader(
    flags: [.gap], sender: 7, receiver: 9, first: 3, acknowledged: 2, credit: 66)

  @Test("Every message comes back as it was", arguments: Verb.allCases)
  func roundTrip(_ verb: Verb) throws {
    var random = RandomMessages(seed: UInt64(verb.rawValue))
    for _ in 0..<200 {
      let frame = Frame(
        header: Self.header, messages: [random.message(verb), random.message(), .goodbye])
      let bytes = try Codec.encode(frame)
      #expect(try Codec.decode(bytes) == frame)
    }
  }

  @Test("Joined messages are the frame of those messages")
  func join() throws {
    var random = RandomMessages(seed: 1)
    let messages = (0..<20).map { _ in random.message() }
    let frame = Frame(header: Self.header, messages: messages)
    let encoded = try messages.map { try Codec.encode($0) }
    #expect(try Codec.encode(frame) == Codec.join(Self.header, encoded[...]))
  }

  @Test("Changed bytes throw or decode, and never trap", arguments: 0..<40 as Range<UInt64>)
  func mutations(_ seed: UInt64) throws {
    var random = RandomMessages(seed: seed)
    for _ in 0..<100 {
      let frame = Frame(header: Self.header, messages: [random.message(), random.message()])
      var bytes = try Codec.encode(frame)
      for _ in 0...random.random.below(4) {
        let position = random.random.below(bytes.count)
        switch random.random.below(4) {
        case 0: bytes[position] = UInt8(truncatingIfNeeded: random.random.next())
        case 1: bytes[position] = random.bool() ? 0xFF : 0
        case 2: bytes.removeLast(min(bytes.count - 1, random.random.below(30)))
        default: bytes.insert(UInt8(truncatingIfNeeded: random.random.next()), at: position)
        }
      }
      if random.bool(), bytes.count > 8 {
        // The length is right, so that what stands behind it is reached.
        for index in 0..<4 { bytes[4 + index] = UInt8(bytes.count >> (8 * index) & 0xFF) }
      }
      if let changed = try? Codec.decode(bytes) { _ = try? Codec.encode(changed) }
    }
  }

  @Test("A frame that ends anywhere is malformed (F-4)")
  func truncation() throws {
    var random = RandomMessages(seed: 3)
    for verb in Verb.allCases {
      let bytes = try Codec.encode(Frame(header: Self.header, messages: [random.message(verb)]))
      for length in 0..<bytes.count {
        var cut = Bytes(bytes[..<length])
        if cut.count >= 8 {
          for index in 0..<4 { cut[4 + index] = UInt8(cut.count >> (8 * index) & 0xFF) }
        }
        #expect(throws: WireError.self) { try Codec.decode(cut) }
      }
    }
  }

  @Test("Magic is checked before version, version before length, length before the verb (F-4)")
  func orderOfChecks() throws {
    var bytes = try Codec.encode(Frame(header: Self.header, messages: [.goodbye]))
    bytes[56] = 200
    #expect(code(bytes) == .unknownVerb)
    bytes.append(0)
    #expect(code(bytes) == .malformed)
    bytes[2] = 9
    #expect(code(bytes) == .unknownVersion)
    bytes[0] = 0
    #expect(code(bytes) == .malformed)
    #expect(code([]) == .malformed)
  }

  private func code(_ bytes: Bytes) -> ErrorCode? {
    do throws(WireError) {
      _ = try Codec.decode(bytes)
      return nil
    } catch {
      return error.code
    }
  }

  private func code(encoding message: Message) -> ErrorCode? {
    do throws(WireError) {
      _ = try Codec.encode(message)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("What exceeds a limit is not encoded")
  func limits() {
    let large = Bytes(repeating: 32, count: Limits.payload + 1)
    let long = Path.root.appending(String(repeating: "a", count: Limits.path))
    let submits = [
      Submit(clientSequence: 1, path: .root, payload: large),
      Submit(clientSequence: 1, path: long, payload: []),
    ]
    for submit in submits { #expect(code(encoding: .submit(submit)) == .tooLarge) }
    var transition = Transition()
    transition.sends = Array(repeating: Send(path: .root, payload: []), count: 1_025)
    let answer = Answer(sequence: 1, epoch: .zero, result: .reduced(transition))
    #expect(code(encoding: .answer(answer)) == .tooLarge)
    transition.sends.removeLast()
    let allowed = Answer(sequence: 1, epoch: .zero, result: .reduced(transition))
    #expect(code(encoding: .answer(allowed)) == nil)
  }

  @Test("A long sentence is cut at a scalar", arguments: ["ä", "日", "🙂", "a"])
  func longText(_ letter: String) throws {
    let text = String(repeating: letter, count: 5_000)
    let refusal = Message.refused(Refusal(code: .poison, message: text))
    let bytes = try Codec.encode(Frame(header: Self.header, messages: [refusal]))
    guard case .refused(let cut) = try Codec.decode(bytes).messages[0] else {
      Issue.record("not a refusal")
      return
    }
    #expect(text.hasPrefix(cut.message))
    #expect(cut.message.utf8.count > Limits.text - 4)
  }

  @Test("A path that is not canonical is refused", arguments: ["a", "/a/", "//", "/%zz", "/a//b"])
  func paths(_ text: String) throws {
    var bytes = try Codec.encode(
      Frame(header: Self.header, messages: [.subscribe(id: 1, path: Path("/a")!)]))
    bytes.replaceSubrange(56 + 72..<56 + 76, with: [UInt8(text.utf8.count), 0] + text.utf8)
    let more = text.utf8.count - 2
    bytes[4] = UInt8(Int(bytes[4]) + more)
    bytes[60] = UInt8(Int(bytes[60]) + more)
    #expect(code(bytes) == .malformed)
  }
}
