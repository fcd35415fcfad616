internal import MailModel
internal import MailOutbox

/// The made part of the page on sending.
enum SendPage {
    /// The table of sends.
    static var failures: [String] {
        let head = ["| Code | When | The mail | Before the request | Ends the drain |", "|---|---|---|---|---|"]
        return head
            + SendTable.all.map { rule in
                let cells = [
                    "`\(rule.code.rawValue)`", rule.condition, words(rule.outcome), words(rule.early),
                    rule.endsDrain ? "yes" : "no",
                ]
                return "| " + cells.joined(separator: " | ") + " |"
            }
    }

    private static func words(_ outcome: SendRule.Outcome) -> String {
        switch outcome {
        case .queued: "queued"
        case .held(let reason): "held (`\(reason.rawValue)`)"
        case .refused: "refused"
        case .unknown: "unknown"
        }
    }
}
