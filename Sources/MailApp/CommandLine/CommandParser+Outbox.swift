internal import MailModel

extension Command {
    /// What to do with the operations that wait for the server.
    struct OutboxOptions: Hashable, Sendable {
        enum Action: Hashable, Sendable {
            case list, journal
            /// An operation or a mail, as with all identifiers here.
            case show(OperationID)
            /// Try these again, or all.
            case retry([OperationID])
            /// Give these up; all for `nil`.
            case drop([OperationID]?)
            /// Say what is to become of mail that waits for a word.
            case settle(SendWord, [SendID])
            /// Take over what another sign-in has queued.
            case adopt
        }

        /// What a person says of mail.
        enum SendWord: String, Hashable, Sendable {
            /// It is sent, though it may have been sent already.
            case sendAgain = "send-again"
            /// It is not sent, and its text is a draft.
            case keep
            /// It was sent, as the person knows.
            case sent
        }

        var action = Action.list
        /// The label the account must have; `nil` means whichever is set up.
        var account: String?
        var json = false

        /// Whether it sends what waits.
        var sends: Bool {
            switch action {
            case .retry, .settle(.sendAgain, _): true
            default: false
            }
        }
    }
}

extension CommandParser {
    /// The words after `outbox`.
    mutating func outbox() throws(CommandFailure) -> Command.OutboxOptions {
        var options = Command.OutboxOptions()
        var (names, isAll) = ([String](), false)
        while let word = next() {
            switch word {
            case "--json": options.json = true
            case "--account": options.account = try value(word)
            case "--all": isAll = true
            default:
                guard !word.hasPrefix("-") else { throw unknown(word) }
                names.append(word)
            }
        }
        let verb = names.isEmpty ? "list" : names.removeFirst()
        let ids = names.map { OperationID($0) }
        guard let action = try CommandParser.action(verb, ids, isAll: isAll) else { throw unknown(verb) }
        options.action = action
        return options
    }

    private static func action(
        _ verb: String, _ ids: [OperationID], isAll: Bool
    ) throws(CommandFailure) -> Command.OutboxOptions.Action? {
        if isAll, verb == "show" { throw usage("“outbox show” takes one operation.") }
        switch verb {
        case "list", "journal", "adopt":
            guard ids.isEmpty else { throw usage("“outbox \(verb)” takes no identifier.") }
            return verb == "list" ? .list : verb == "journal" ? .journal : .adopt
        case "show":
            guard ids.count == 1, let id = ids.first else { throw usage("Say which operation to show, by its id.") }
            return .show(id)
        case "retry": return .retry(ids)
        case "send-again", "keep", "sent":
            guard !ids.isEmpty, !isAll, let word = Command.OutboxOptions.SendWord(rawValue: verb) else {
                throw usage("Say which mail is meant, by its id.")
            }
            return .settle(word, ids.map { SendID($0.rawValue) })
        case "drop":
            guard ids.isEmpty == isAll else { throw usage("Say which operations to give up, or --all.") }
            return .drop(isAll ? nil : ids)
        default: return nil
        }
    }
}
