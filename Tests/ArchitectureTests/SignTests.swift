import DisplayText
import Testing

/// The signs that the screen is drawn with.
struct SignTests {
    /// What draws, not what reads: those sources hold words of many languages.
    private static let drawing = [
        "/BlockWriter.swift", "/DataTable.swift", "/HTMLRenderer+Blocks.swift", "/HTMLRenderer.swift",
        "/ListMarker.swift", "/PlainText.swift", "/Layout.swift", "/LinkWarning.swift",
    ]

    /// Fails when a sign is drawn that terminals without it would show as a question mark.
    @Test func `every sign that is drawn has a likeness in ASCII`() {
        var signs = Set<Unicode.Scalar>()
        for file in SourceTree.sources
        where file.target == "MailUI" || Self.drawing.contains(where: { file.path.hasSuffix($0) }) {
            for line in file.lines where !line.contains("//") {
                for scalar in line.unicodeScalars where scalar.value > 0x7F { signs.insert(scalar) }
            }
        }
        #expect(signs.count > 8)
        for sign in signs { #expect(TextDisplay.ascii(String(Character(sign))) != "?", "\(sign)") }
    }
}
