internal import MailModel
internal import MailOutbox

/// The made parts of the page on the outbox.
enum OutboxPage {
    /// The table of failures.
    static var failures: [String] {
        let head = ["| Code | When | Kind | The operation | Ends the drain | Told as |", "|---|---|---|---|---|---|"]
        return head
            + FailureTable.all.map { rule in
                row([
                    "`\(rule.code.rawValue)`", rule.condition, rule.kind.rawValue, outcome(rule),
                    rule.endsDrain ? "yes" : "no", rule.events.map { "`\($0.rawValue)`" }.joined(separator: " "),
                ])
            }
    }

    private static func outcome(_ rule: FailureRule) -> String {
        switch rule.outcome {
        case .retrying:
            guard let ceiling = rule.ceiling else { return "retrying, without end" }
            return "retrying; the \(ceiling.failures)th in a row: " + verdict(ceiling.verdict)
        case .blocked(let reason): return "blocked (`\(reason.rawValue)`)"
        case .allBlocked(let reason): return "it and all others blocked (`\(reason.rawValue)`)"
        case .dropped(let end): return verdict(end)
        case .done: return "done"
        case .unchanged: return "as it was"
        }
    }

    private static func verdict(_ verdict: Verdict) -> String {
        "dropped: `\(verdict.kind.rawValue)` `\(verdict.reason.rawValue)`"
    }

    /// The words of events, verdicts and reasons.
    static var events: [String] {
        [
            list("Events", OutboxEvent.Name.allCases.map(\.rawValue)),
            list("Reasons to wait", BlockReason.allCases.map(\.rawValue)),
            list("Reasons of held mail", HoldReason.allCases.map(\.rawValue)),
            list("Verdicts", Verdict.Kind.allCases.map(\.rawValue)),
            list("Their reasons", Verdict.Reason.allCases.map(\.rawValue)),
        ]
    }

    private static func list(_ title: String, _ words: [String]) -> String {
        "- \(title): " + words.map { "`\($0)`" }.joined(separator: " ") + "."
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
