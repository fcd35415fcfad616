internal import MailModel
internal import MailStorage
internal import Platform
internal import TerminalDriver

/// Telling of new mail.
extension TerminalProgram {
    /// How long other processes' commits are gathered; their pass may still be under way.
    private static let gathering = Duration.seconds(1)

    /// Tells of mail that another process has fetched, once it has stopped coming.
    func expectNewMail(_ change: StoreChange, _ run: AccountRun) {
        guard run.pass == nil, !change.news.isEmpty else { return }
        run.telling?.cancel()
        // Not an effect that the program is busy with: it only waits.
        run.telling = Task(executorPreference: UILoop.shared) {
            do {
                try await Task.sleep(for: TerminalProgram.gathering)
            } catch {
                return
            }
            await self.tellNewMail(run)
        }
    }

    /// Rings for new mail that the commits of any process have brought, in each terminal that is open.
    func ring(for change: StoreChange, _ run: AccountRun) async {
        let settings = run.account.settings
        guard settings.ringsForMail, !change.news.isEmpty else { return }
        let mailboxes = (try? await run.reader?.mailboxes()) ?? []
        let addresses = change.news.map { id in mailboxes.first { $0.id == id }?.address }
        if addresses.contains(where: { settings.notifies($0) }) { terminal.ring() }
    }

    /// Tells of what has come and nobody was told of.
    func tellNewMail(_ run: AccountRun) async {
        let account = run.account
        let around = NotifyMeans.Surroundings(
            hasTerminal: terminal.isOwned, isSelfContained: account.places.isSelfContained)
        guard !run.isClosed, !isDemo, let means = NotifyMeans.chosen(account.settings, around),
            let mail = await run.backend.takeNewMail(isNamed: runs.count > 1)
        else { return }
        if case .terminal(let form) = means, terminal.isOwned {
            return terminal.notify(mail.text.title, mail.text.text, by: form)
        }
        let backend = run.backend
        Task {
            if await mail.tell(by: means, account) { return }
            await backend.giveBack(mail)
        }
    }
}

extension Backend {
    /// Takes what nobody was told of; `nil` when there is nothing.
    ///
    /// Opens no cache for it.
    func takeNewMail(isNamed: Bool) async -> NewMail? {
        guard let session = opened else { return nil }
        do {
            var account = account
            account.settings = settings
            return try await NewMail.claim(from: session.store, account, isNamed: isNamed)
        } catch {
            Log.shared.failed("new mail not told", error, account)
            return nil
        }
    }

    /// Lets another try tell what could not be told.
    func giveBack(_ mail: NewMail) async {
        do {
            try await opened?.store.returnArrivals(mail.ids)
        } catch {
            Log.shared.failed("new mail not told", error, account)
        }
    }
}
