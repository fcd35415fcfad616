internal import MailModel

/// One of the actions that take back what an operation did, with what would take that one back.
struct UndoStep: Hashable {
    var action: TriageAction
    var inverse: [TriageAction]

    /// The steps that bring a message back to how it is before an action, in order.
    static func steps(for action: TriageAction, on before: MessageSummary) -> [UndoStep] {
        // The instant is of no matter: a stamp is there or not.
        var state = action.applied(to: before, at: before.createdAt)
        return action.inverse(of: before).map { step in
            let inverse = step.inverse(of: state)
            state = step.applied(to: state, at: before.createdAt)
            return UndoStep(action: step, inverse: inverse)
        }
    }

    /// Actions as a column holds them.
    static func words(_ actions: [TriageAction]) -> String { actions.map(\.rawValue).joined(separator: ",") }

    /// Steps as a column holds them: `restore:trash archive:unarchive`.
    static func column(_ steps: [UndoStep]) -> String {
        steps.map { $0.action.rawValue + ":" + words($0.inverse) }.joined(separator: " ")
    }

    /// The steps of a column.
    static func steps(_ column: String) -> [UndoStep] {
        column.split(separator: " ").compactMap { step in
            let parts = step.split(separator: ":", omittingEmptySubsequences: false)
            guard let action = parts.first.flatMap({ TriageAction(rawValue: String($0)) }) else { return nil }
            return UndoStep(action: action, inverse: parts.count > 1 ? actions(parts[1]) : [])
        }
    }

    /// The actions of a column.
    static func actions(_ column: some StringProtocol) -> [TriageAction] {
        column.split(separator: ",").compactMap { TriageAction(rawValue: String($0)) }
    }
}
