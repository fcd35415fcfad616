internal import MailOutbox
internal import MailStorage
internal import MailUI
internal import Platform
internal import TerminalDriver

/// One account of the terminal program: its cache, its passes and its events, apart from those of all others.
@UIActor
final class AccountRun {
    var account: Account
    let backend: Backend
    let live: LiveQueries
    /// Saves files of this account.
    let saver: FileSaver
    var reader: MailReader?
    var readerInode: UInt64?
    var schedule: PassSchedule
    var listening = EventListening()
    var triage = TriageWork()
    var writing = WritingWork()
    var drains = DrainWork()
    var searches = ListSearches()
    var pass: Task<Void, Never>?
    var bodies: Task<Void, Never>?
    /// What shows commits as they come.
    var following: Task<Void, Never>?
    /// What tells of mail that another process has fetched.
    var telling: Task<Void, Never>?
    /// What tells of the outbox as it changes.
    var hearing: Task<Void, Never>?
    /// Whether the account is gone from the program, so that late answers mean nothing.
    var isClosed = false

    var label: String { account.label }

    init(account: Account, isOffline: Bool) {
        self.account = account
        let label = account.label
        let backend = Backend(account: account) { progress in
            Task(executorPreference: UILoop.shared) { await Running.program?.passProgressed(progress, of: label) }
        } tell: { event in
            // What the outbox records is heard from there, whichever process it happened in.
            guard !event.isRecorded else { return }
            Task(executorPreference: UILoop.shared) { await Running.program?.outboxTold(event, of: label) }
        }
        self.backend = backend
        live = LiveQueries(path: account.cachePath, owner: account.owner)
        saver = FileWork.saver(backend)
        schedule = PassSchedule(isOffline: isOffline)
    }

    /// Whether there is an account at all; the first start has none.
    var isSomebody: Bool { !account.label.isEmpty }

    /// What stands for an account before there is one; it asks nobody anything.
    static func nobody(_ places: Places, _ settings: Settings) -> AccountRun {
        var account = Account(label: "", origin: "", credential: .signIn(identity: ""), places: places)
        account.settings = settings
        return AccountRun(account: account, isOffline: true)
    }

    /// Ends what runs for the account and closes its cache.
    func close() async {
        isClosed = true
        listening.task?.cancel()
        following?.cancel()
        telling?.cancel()
        hearing?.cancel()
        pass?.cancel()
        bodies?.cancel()
        searches.cancel()
        drains.wake?.cancel()
        await listening.task?.value
        await backend.close()
    }
}

extension Account {
    /// The account as the screen names it, at its place among the others.
    func entry(at place: Int) -> AccountEntry {
        let canSignIn = if case .signIn = credential { true } else { false }
        return AccountEntry(
            label: label, name: settings.accounts[label]?.name ?? label,
            color: settings.accounts[label]?.color ?? AccountEntry.colors[place % AccountEntry.colors.count],
            canSignIn: canSignIn)
    }
}
