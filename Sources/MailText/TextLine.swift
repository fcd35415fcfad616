/// What a piece of text is; the screen decides how each looks.
package struct TextRole: Sendable, Hashable {
    /// The marks a piece of text can carry, several at once.
    package struct Marks: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        package static let strong = Marks(rawValue: 1)
        package static let emphasis = Marks(rawValue: 2)
        package static let heading = Marks(rawValue: 4)
        /// Secondary text: folds, rules, link numbers, image descriptions.
        package static let dim = Marks(rawValue: 8)
        package static let signature = Marks(rawValue: 16)
        package static let code = Marks(rawValue: 32)
        package static let underlined = Marks(rawValue: 64)
        /// Text the writer marked as with a pen.
        package static let highlighted = Marks(rawValue: 128)
        /// Text that no longer holds; signs around it say so too.
        package static let deleted = Marks(rawValue: 256)
        /// A colour of the writer's that warns: red.
        package static let warning = Marks(rawValue: 512)
        /// A colour of the writer's that approves: green.
        package static let approval = Marks(rawValue: 1024)
        /// A line that a patch adds.
        package static let added = Marks(rawValue: 2048)
        /// A line that a patch takes away.
        package static let removed = Marks(rawValue: 4096)
        /// The place of a change, in a patch.
        package static let location = Marks(rawValue: 8192)
        /// A sign that something is not what it seems.
        package static let alert = Marks(rawValue: 16384)
    }

    package var marks: Marks
    /// How many levels of quoting the text is in; 0 for the writer's own words.
    package var quoteLevel: Int
    /// The number of the link the text belongs to.
    package var link: Int?
    /// The number of the picture the text stands for.
    package var image: Int?

    package init(_ marks: Marks = [], quoteLevel: Int = 0, link: Int? = nil) {
        self.marks = marks
        self.quoteLevel = quoteLevel
        self.link = link
    }

    /// The writer's own words without any mark.
    package static let plain = TextRole()
    /// Secondary text outside quotes.
    package static let dim = TextRole(.dim)

    /// The same place in the text with `more` marks.
    func adding(_ more: Marks) -> TextRole {
        var role = self
        role.marks.formUnion(more)
        return role
    }
}

/// A piece of a line in one role, safe to print.
package struct TextRun: Sendable, Hashable {
    package var text: String
    package var role: TextRole

    package init(_ text: String, _ role: TextRole = .plain) {
        self.text = text
        self.role = role
    }
}

/// A line that fits the columns it was made for, its characters in the order they are read.
package struct TextLine: Sendable, Hashable {
    package var runs: [TextRun]
    /// How many runs at the beginning are bars and bullets around the text.
    package var prefixRuns: Int
    /// Whether the paragraph runs from right to left.
    package var isRightToLeft: Bool

    package init(_ runs: [TextRun] = [], prefixRuns: Int = 0, isRightToLeft: Bool = false) {
        self.runs = runs
        self.prefixRuns = prefixRuns
        self.isRightToLeft = isRightToLeft
    }

    /// The text without roles.
    package var text: String { runs.reduce(into: "") { $0 += $1.text } }
}

/// A link of a message, by the number the lines show.
package struct LinkTarget: Sendable, Hashable {
    package var number: Int
    package var url: String
    /// The text that stands for the link.
    package var text: String
    /// Whether the lines show the whole address, so that a list of links need not repeat it.
    package var isSpelledOut = false
    /// The true target; `nil` when the address cannot be read.
    package var address: LinkAddress?
    /// What to know before following the link, of any of the texts that show it.
    package var warnings: [LinkWarning] = []

    package init(number: Int, url: String, text: String) {
        self.number = number
        self.url = url
        self.text = text
        address = LinkAddress(url)
    }
}

/// A message body as the reader shows it.
package struct RenderedBody: Sendable, Hashable {
    package var lines: [TextLine]
    package var links: [LinkTarget]
    /// Which form of the message the lines are.
    package var form = BodyForm.text
    /// The pictures whose places the lines show.
    package var images: [ImageTarget] = []

    package init(lines: [TextLine] = [], links: [LinkTarget] = []) {
        self.lines = lines
        self.links = links
    }

    /// The links whose addresses the lines do not show.
    package var hiddenLinks: [LinkTarget] { links.filter { !$0.isSpelledOut } }

    /// All lines as text, joined by line feeds.
    package var text: String { lines.map(\.text).joined(separator: "\n") }
}
