import Testing

@testable import TerminalDriver

/// The bytes that make a terminal notify.
struct NotificationTests {
    @Test func `a notification is one command with its parts`() {
        #expect(
            NotificationSequence.sequence("New mail", "From ann: Tides", by: .osc9)
                == "\u{1B}]9;New mail: From ann: Tides\u{1B}\\")
        #expect(
            NotificationSequence.sequence("New mail", "From ann: Tides", by: .osc777)
                == "\u{1B}]777;notify;New mail;From ann: Tides\u{1B}\\")
    }

    /// Fails when a text ends the command early, adds a part to it, or fills the terminal's memory.
    @Test(arguments: ["a\u{7}b", "a\u{1B}\\b", "a\u{9C}b", "a;b;c", String(repeating: "x", count: 90_000)])
    func `what a text says stays within its part`(_ text: String) {
        for form in [NotificationSequence.Form.osc9, .osc777] {
            let sequence = NotificationSequence.sequence(text, text, by: form)
            let inside = sequence.dropFirst().dropLast(2)
            #expect(sequence.hasSuffix("\u{1B}\\") && sequence.count < 500)
            #expect(inside.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
            #expect(inside.count { $0 == ";" } == (form == .osc9 ? 1 : 3))
        }
    }
}
