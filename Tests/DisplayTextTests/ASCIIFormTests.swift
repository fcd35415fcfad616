import DisplayText
import Testing

/// Text for terminals that show nothing but ASCII.
struct ASCIIFormTests {
    @Test(arguments: [
        ("plain", "plain"), ("●★▸ x", "N*+ x"), ("│ quoted", "| quoted"), ("• one ◦ two", "* one o two"),
        ("Grüße aus Łódź", "Gruse aus Lodz"), ("日本", "? ? "), ("cut…", "cut~"), ("“a” – b’s", "\"a\" - b's"),
        ("e\u{301}", "e"), ("русский", "???????"), ("▀▄", "##"), ("x²", "x2"), ("\u{FFFD}", "?"),
    ])
    func `a text becomes ASCII of the same width`(_ text: String, _ wanted: String) {
        #expect(TextDisplay.ascii(text) == wanted)
    }

    /// Fails when a sign's likeness would move what stands behind it.
    @Test func `every sign has a likeness of its width`() {
        for (sign, likeness) in TextDisplay.asciiSigns {
            #expect((0x20..<0x7F).contains(likeness.value))
            #expect(TextDisplay.width(of: sign) == 1, "\(sign)")
        }
    }

    @Test func `any character becomes ASCII of its width`() {
        for value in UInt32(0x20)..<0x3_0000 {
            guard value != 0x7F, !(0x80..<0xA0).contains(value), let scalar = Unicode.Scalar(value) else { continue }
            let text = TextDisplay.ascii(String(Character(scalar)))
            #expect(
                text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && text.utf8.count == TextDisplay.width(of: scalar))
        }
    }
}
