import MailText
import TerminalUI
import Testing

@testable import MailUI

/// How the parts of a body look, on dark and on light terminals.
@Suite struct BodyStyleTests {
    private static let marks: [TextRole.Marks] = [
        [], .strong, .emphasis, .heading, .dim, .signature, .code, .underlined, .highlighted, .deleted, .warning,
        .approval, .added, .removed, .location,
    ]

    /// The colours that widespread terminals show for entries of the palette.
    private static let palettes: [(name: String, colors: [Color: (Int, Int, Int)])] = [
        ("VTE", [.red: (192, 28, 40), .green: (38, 162, 105), .magenta: (163, 71, 186), .cyan: (42, 161, 179)]),
        ("console", [.red: (170, 0, 0), .green: (0, 170, 0), .magenta: (170, 0, 170), .cyan: (0, 170, 170)]),
        ("Solarized", [.red: (220, 50, 47), .green: (133, 153, 0), .magenta: (211, 54, 130), .cyan: (42, 161, 152)]),
    ]

    private func luminance(_ color: (Int, Int, Int)) -> Double {
        // Near enough to the sRGB curve to tell readable from unreadable.
        func part(_ value: Int) -> Double {
            let share = Double(value) / 255
            return share * share * (0.8 * share.squareRoot() + 0.2)
        }
        return 0.2126 * part(color.0) + 0.7152 * part(color.1) + 0.0722 * part(color.2)
    }

    /// Fails when a colour cannot be read on black or on white, or is none of the palette's middle.
    @Test func `every colour is readable on dark and on light`() throws {
        for level in 0...3 {
            for marks in Self.marks {
                let style = MailDisplay.style(of: TextRole(marks, quoteLevel: level))
                #expect(style.background == nil)
                guard let color = style.foreground else { continue }
                for palette in Self.palettes {
                    let value = luminance(try #require(palette.colors[color], "\(color) of \(palette.name)"))
                    #expect((value + 0.05) / 0.05 >= 2.5, "\(color) on black, \(palette.name)")
                    #expect(1.05 / (value + 0.05) >= 2.5, "\(color) on white, \(palette.name)")
                }
            }
        }
    }

    /// Fails when something is said by colour alone.
    @Test func `what a colour says is said without it`() {
        for mark in [TextRole.Marks.warning, .approval] {
            var style = MailDisplay.style(of: TextRole(mark))
            style.foreground = nil
            #expect(style != .plain)
        }
        let quote = renderText("> quoted", columns: 40, showQuotes: true)
        #expect(quote.text == "│ quoted")
        #expect(MailDisplay.style(of: TextRole(quoteLevel: 1)) != MailDisplay.style(of: TextRole(quoteLevel: 2)))
    }
}
