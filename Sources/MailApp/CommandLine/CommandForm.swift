/// One way to call the program, with everything that help and pages say of it.
package struct CommandForm: Sendable {
    /// An option of one form.
    package struct Option: Sendable {
        /// The names it is known by, the one to show first.
        package let names: [String]
        /// The word that stands for its value; `nil` when it takes none.
        package let value: String?
        /// One line on what it does.
        package let help: String
        package let isRepeatable: Bool

        init(_ names: String, value: String? = nil, _ help: String, repeatable: Bool = false) {
            self.names = names.split(separator: " ").map(String.init)
            self.value = value
            self.help = help
            isRepeatable = repeatable
        }

        /// The option as a usage line writes it, without brackets.
        package var usage: String { ([names.first] + [value]).compactMap(\.self).joined(separator: " ") }
    }

    /// The word that begins it; empty for the program without a command.
    package let name: String
    /// What follows the name, as a usage line writes it: capitals stand for something, other words are meant.
    package let operands: String
    package let options: [Option]
    /// One line on what it does.
    package let summary: String
    /// What else is to be known, as paragraphs of sentences.
    package let details: [String]

    init(_ name: String, _ operands: String, _ options: [Option], _ summary: String, _ details: [String] = []) {
        self.name = name
        self.operands = operands
        self.options = options
        self.summary = summary
        self.details = details
    }

    /// The usage line's words after the program's name, each an unbreakable piece.
    package var usage: [String] {
        let words = [name, operands].filter { !$0.isEmpty }
        return words + options.map { "[\($0.usage)]" + ($0.isRepeatable ? "..." : "") }
    }

    /// Whether a word begins this form.
    func isNamed(_ word: String) -> Bool { !name.isEmpty && name == word }
}
