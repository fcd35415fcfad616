internal import DisplayText
internal import MailSync

/// What a long pass shows on a terminal while it runs.
enum ProgressLine {
    /// The messages fetched so far, of how many and for how long where that is known.
    static func text(_ progress: SyncProgress) -> String {
        var text = "Fetching mail: \(grouped(progress.messages))"
        if let total = progress.total { text += " of about \(grouped(total))" }
        text += progress.messages == 1 && progress.total == nil ? " message" : " messages"
        if let seconds = progress.secondsLeft { text += ", \(seconds) s left" }
        return text
    }

    /// What several are at, in one line that does not wrap: what wrapped could not be taken back.
    static func text(_ parts: [(worker: String, text: String)], columns: Int) -> String {
        let all = parts.map { part in
            part.worker.isEmpty ? part.text : TextDisplay.sanitizedLine(part.worker) + ": " + part.text
        }
        return TextDisplay.truncated(all.joined(separator: "  "), columns: max(1, columns - 1))
    }

    /// A number with a thin mark between thousands, for example `12,345`.
    static func grouped(_ number: Int) -> String {
        var groups: [Substring] = []
        var rest = String(number)[...]
        while rest.count > 3 {
            groups.insert(rest.suffix(3), at: 0)
            rest = rest.dropLast(3)
        }
        return ([rest] + groups).joined(separator: ",")
    }
}
