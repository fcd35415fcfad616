internal import DisplayText
internal import MailSignIn
internal import MailSync
internal import MailUI
internal import Platform
internal import TerminalDriver

/// The accounts that the terminal program opens with.
struct OpenedAccounts: Sendable {
    var all: [Account]
    /// The account to show first; `nil` for the first in order.
    var first: String?
    let places: Places
    let settings: Settings
    /// Whether a person can sign in to further accounts.
    var canAdd = true
    /// What to tell at the start, for example of an account that cannot be opened.
    var notice: String?

    /// The given accounts.
    init(all: [Account], places: Places, settings: Settings) {
        self.all = all
        self.places = places
        self.settings = settings
    }

    /// One account, to which no other can be added.
    init(only account: Account) {
        self.init(all: [account], places: account.places, settings: account.settings)
        canAdd = false
    }
}

/// Which account is shown, and what concerns the others.
extension TerminalProgram {
    /// The account of a label; `nil` when it is gone.
    func run(of label: String) -> AccountRun? { runs.first { $0.label == label } }

    /// Tells the state what happened to an account; an account that is gone is not told of.
    func tell(_ event: AppEvent, _ run: AccountRun) {
        guard !run.isClosed else { return }
        if run === current { return apply(event) }
        if case .notice = event { return }
        apply(.of(run.label, event))
    }

    /// Tells the state, and shows what that changes.
    func tellAndPaint(_ event: AppEvent, _ run: AccountRun) {
        tell(event, run)
        paint()
    }

    /// Tells the state which accounts there are.
    func tellAccounts() {
        apply(.accounts(runs.enumerated().map { $1.account.entry(at: $0) }, shown: current.label))
    }

    /// Follows the state to another account.
    func accountShown(_ label: String) {
        guard let run = run(of: label) else { return }
        current = run
        files.saver = run.saver
    }

    /// Tells how an account stands by what is kept here.
    func tellStanding(_ run: AccountRun) {
        let history = run.account.passJournal.history
        tellLastSync(history, run)
        if history.needsSignIn { tell(.signInEnded(true), run) }
        tell(.offline(isOffline), run)
        tellSignInAge(run)
    }

    /// Tells when the person approved the sign-in, and whether it has ended.
    func tellSignInAge(_ run: AccountRun) {
        guard let standing = SignInStanding(run.account) else { return }
        tell(.signedInAt(seconds: standing.approvedAt), run)
        if standing.isEnded { tell(.signInEnded(true), run) }
    }

    /// Tells it anew once a server has said what time it is, or another process has signed in again.
    func followSignInAge(_ run: AccountRun) {
        let backend = run.backend
        effect {
            guard let standing = await backend.signInStanding() else { return }
            await self.tellAndPaint(.signedInAt(seconds: standing.approvedAt), run)
        }
    }

    /// Shows an account's commits as they come, and makes its cache where there is none.
    func follow(_ run: AccountRun) {
        followCommits(run)
        countOutbox(run)
        if run !== current || run.reader == nil { prepareCache(run) } else { showQueue(run) }
        indexInIdleTime(run)
    }

    /// Takes an account in that has just been signed in to, in place of one of the same label.
    func take(_ run: AccountRun) {
        if let index = runs.firstIndex(where: { $0.label == run.label }) {
            let old = runs[index]
            runs[index] = run
            old.isClosed = true
            effect { await old.close() }
        } else {
            runs.append(run)
            runs.sort { $0.label < $1.label }
        }
        if !current.isSomebody || current.label == run.label {
            current = run
            files.saver = run.saver
        }
        run.schedule.personActed(at: WallClock.bootMilliseconds())
        tellAccounts()
        tellStanding(run)
        follow(run)
    }
}

/// What other processes do to the accounts that are open here.
extension TerminalProgram {
    /// Follows another process that removed an account, or signed somebody else in to it.
    func follow(_ change: AccountChange, _ run: AccountRun) {
        guard !isQuitting, !run.isClosed, runs.contains(where: { $0 === run }) else { return }
        let name = TextDisplay.sanitizedLine(run.account.settings.accounts[run.label]?.name ?? run.label)
        switch change {
        case .removed:
            remove(run)
            apply(.notice("The account “\(name)” was removed."))
        case .anotherPerson(let identity):
            var account = run.account
            account.credential = .signIn(identity: identity)
            apply(.accountForgotten(run.label))
            take(AccountRun(account: account, isOffline: isOffline))
            apply(.notice("Somebody else has signed in to “\(name)”. This is their mail from now on."))
        }
        tick()
        paint()
    }

    /// Takes an account off the screen, with all that ran for it.
    private func remove(_ run: AccountRun) {
        runs.removeAll { $0 === run }
        run.isClosed = true
        effect { await run.close() }
        if current === run {
            current = runs.first ?? AccountRun.nobody(run.account.places, run.account.settings)
            files.saver = current.saver
        }
        Log.shared.note(.info, "account removed elsewhere", .account(run.account))
        tellAccounts()
    }
}
