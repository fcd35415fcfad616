internal import MailModel

extension Filter {
    /// The filter as it could be typed; reading it gives the same filter.
    package var text: String {
        switch self {
        case .any(let filters): filters.map { $0.inGroup(of: .any) }.joined(separator: " or ")
        case .all(let filters): filters.map { $0.inGroup(of: .all) }.joined(separator: " ")
        case .not(let filter): "-" + filter.inGroup(of: .not)
        case .words(let part, let words): part.prefix + words.text(isAlone: part == .anywhere)
        case .place(.anywhere): "in:anywhere"
        case .place(.folder(let folder)): "in:" + folder.rawValue
        case .mailbox(let words): "mailbox:" + words.text(isAlone: false)
        case .mark(let mark): "is:" + mark.rawValue
        case .hasAttachment: "has:attachment"
        case .time(let side, let moment): side.rawValue + ":" + moment.text
        }
    }

    private enum Group { case any, all, not }

    /// In parentheses where it would else be read as a part of the group around it.
    private func inGroup(of group: Group) -> String {
        switch (self, group) {
        case (.any, _), (.all, .all), (.all, .not): "(" + text + ")"
        default: text
        }
    }
}

extension Filter.Part {
    fileprivate var prefix: String {
        switch self {
        case .anywhere: ""
        case .from: "from:"
        case .to: "to:"
        case .subject: "subject:"
        case .body: "body:"
        }
    }
}

extension Filter.Words {
    /// Whole words in quotes; in others what means something is escaped.
    fileprivate func text(isAlone: Bool) -> String {
        var output = ""
        for (index, character) in text.enumerated() {
            let isSpecial =
                isWhole
                ? character == "\"" || character == "\\"
                : character.isWhitespace || "()\\".contains(character)
                    || index == 0 && (character == "\"" || character == "-" || isAlone && isRead)
                    || isAlone && character == ":"
            if isSpecial { output.append("\\") }
            output.append(character)
        }
        return isWhole ? "\"" + output + "\"" : output
    }

    /// Whether it would be read as the word between groups.
    private var isRead: Bool { text.lowercased() == "or" }
}
