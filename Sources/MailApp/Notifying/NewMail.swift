internal import MailModel
internal import MailStorage
internal import Platform

/// New mail that this process has taken upon itself to tell of.
struct NewMail: Sendable {
    let text: NewMailText
    let ids: [MessageID]

    /// Takes what nobody was told of; `nil` when there is nothing, or only mail of mailboxes that are not told of.
    ///
    /// - Throws: `StoreError`.
    static func claim(from store: MailStore, _ account: Account, isNamed: Bool) async throws -> NewMail? {
        let arrivals = try await store.claimArrivals().filter { account.settings.notifies($0.mailboxAddress) }
        let label = isNamed ? account.settings.accounts[account.label]?.name ?? account.label : nil
        guard let text = NewMailText(arrivals, account.settings.notifyDetail, account: label) else { return nil }
        return NewMail(text: text, ids: arrivals.map(\.message.id))
    }

    /// Tells of what a pass without a terminal has brought, where there is a means.
    ///
    /// A pass does not fail by it, nor by its taking longer than until `end`. Without a means it is left to a terminal
    /// program that may be open.
    static func tell(_ session: Session, until end: ContinuousClock.Instant?) async {
        let account = session.account
        let around = NotifyMeans.Surroundings(
            hasTerminal: false, isSelfContained: account.places.isSelfContained)
        guard let means = NotifyMeans.chosen(account.settings, around) else { return }
        do {
            let isNamed = Accounts.labels(account.places).count > 1
            guard let mail = try await claim(from: session.store, account, isNamed: isNamed) else { return }
            let limit = end.map { min(patience, max(.zero, $0 - .now)) } ?? patience
            if await mail.tell(by: means, account, within: limit) { return }
            try await session.store.returnArrivals(mail.ids)
        } catch {
            Log.shared.failed("new mail not told", error, account)
        }
    }

    /// How long a program may take to tell; then it is ended.
    private static let patience = Duration.seconds(20)

    /// Has a program tell; `false` when that failed.
    func tell(by means: NotifyMeans, _ account: Account, within limit: Duration = patience) async -> Bool {
        let words: [String]
        var variables = ["HERALD_ACCOUNT": account.label, "HERALD_NEW": String(ids.count)]
        switch means {
        case .terminal: return false
        case .command(let command): words = command + [text.title, text.text]
        case .desktop(let bus):
            if let bus { variables["DBUS_SESSION_BUS_ADDRESS"] = bus }
            words = NewMail.notifySend + [text.title, NewMail.escaped(text.text)]
        }
        do {
            let ending = try await ChildProcess(words, settings: variables).ended(within: limit)
            if ending?.isSuccess == true { return true }
            Log.shared.note(.error, "new mail not told", .account(account), .code("reason", "program-failed"))
        } catch {
            Log.shared.note(.error, "new mail not told", .account(account), .code("reason", "program-not-started"))
        }
        return false
    }

    private static let notifySend = [
        "notify-send", "--app-name=Herald", "--category=email.arrived", "--icon=mail-unread", "--",
    ]

    /// The body of a desktop notification may have markup (Desktop Notifications Specification), so signs of it are
    /// written as what they are.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
