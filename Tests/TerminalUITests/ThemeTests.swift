import Testing
import TerminalUI

struct ThemeTests {
    /// How bright two common palettes make the plain colours, from 0 to 1: xterm's, and Solarized's.
    private static let palettes: [[Color: Double]] = [
        [.red: 0.13, .green: 0.44, .yellow: 0.57, .blue: 0.06, .magenta: 0.17, .cyan: 0.48],
        [.red: 0.18, .green: 0.22, .yellow: 0.25, .blue: 0.23, .magenta: 0.19, .cyan: 0.26],
    ]

    /// How bright the backgrounds are.
    private static let grounds: [(dark: Double, light: Double)] = [(0, 1), (0.02, 0.92)]

    private func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// Fails when a colour of text is hard to read on black, white or Solarized's two backgrounds.
    @Test(arguments: Theme.allCases)
    func `whatever is asked for is readable`(theme: Theme) {
        for number in UInt8(0)..<16 {
            guard let shown = theme.text(Color(rawValue: number)) else { continue }
            #expect(shown.rawValue < 8, "bright colours are greys in some palettes")
            for (palette, grounds) in zip(ThemeTests.palettes, ThemeTests.grounds) {
                guard let brightness = palette[shown] else { continue }
                if theme != .light { #expect(contrast(brightness, grounds.dark) >= 3, "\(shown) on dark") }
                if theme != .dark { #expect(contrast(brightness, grounds.light) >= 2.9, "\(shown) on light") }
            }
        }
    }

    @Test func `without colours there are none`() {
        #expect((UInt8(0)..<16).allSatisfy { Theme.mono.text(Color(rawValue: $0)) == nil })
        #expect(Theme.dark.text(nil) == nil)
        #expect(Theme.dark.text(.brightRed) == .red)
    }

    @Test(
        arguments: [
            ("15;0", .dark), ("0;15", .light), ("0;default;15", .light), ("0;7", .light), ("7;8", .dark),
            ("default;default", nil), ("", nil), ("1;99", nil),
        ] as [(String, Theme?)])
    func `terminals may tell their background in a variable`(text: String, theme: Theme?) {
        #expect(Theme.of(colorFGBG: text) == theme)
    }
}
