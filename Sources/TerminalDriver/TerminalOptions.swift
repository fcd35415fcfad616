package import TerminalUI

/// What the program wants of the terminal.
package struct TerminalOptions: Sendable, Hashable {
    /// How colours are made readable; `.mono` sends none.
    package var theme: Theme
    /// Whether the terminal is asked what its background is, to make the colours fit; nothing waits for the answer.
    package var asksBackground: Bool
    /// Whether the terminal is asked if it draws pictures itself; nothing waits for the answer.
    package var asksGraphics: Bool
    /// Whether the mouse is told to the program.
    package var hasMouse: Bool
    /// Whether the terminal shows nothing but ASCII.
    package var isASCII = false
    /// Whether the window's title is the program's while it runs.
    package var hasTitle: Bool

    package init(
        theme: Theme = .neutral, asksBackground: Bool = false, asksGraphics: Bool = false, hasMouse: Bool = false,
        hasTitle: Bool = false
    ) {
        self.theme = theme
        self.asksBackground = asksBackground
        self.asksGraphics = asksGraphics
        self.hasMouse = hasMouse
        self.hasTitle = hasTitle
    }
}
