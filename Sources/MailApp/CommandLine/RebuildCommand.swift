internal import MailModel
internal import MailStorage
internal import MailSync

/// `herald --rebuild-cache`: fetches everything into a new file, which then takes the old one's place.
///
/// The old cache is read and even written meanwhile, and stays when this ends early in any way. What a killed
/// rebuild leaves behind goes with the next pass. Nothing but the cache is touched.
struct RebuildCommand {
    let options: Command.SyncOptions
    let account: Account

    func run() async throws {
        try account.makeDirectories()
        let lock = try await PassLock.wait(account, showsProgress: !options.quiet)
        let name = CacheName(account.cachePath)
        name.sweep()
        let file = name.newFile()
        do {
            let report = try await fetch(into: file)
            try Task.checkCancellation()
            try name.replace(with: file)
            if !options.quiet {
                Output.line("The cache was rebuilt with \(report.inserted) messages.")
                if let queued = try queued() { Output.line(queued) }
            }
        } catch {
            CacheName.remove(file)
            throw error
        }
        _ = consume lock
    }

    /// What waits in the outbox, which a rebuild does not touch.
    private func queued() throws -> String? {
        guard let all = try OutboxStore.counts(path: account.outboxPath, owner: account.owner) else { return nil }
        let counts = all.own
        if counts.isEmpty { return Outbox.anothers(all.anothers, account) }
        let count = counts.queued + counts.blocked + counts.unknown
        return "\(count == 1 ? "1 operation waits" : "\(count) operations wait") to be sent, as before."
    }

    private func fetch(into file: String) async throws -> PassReport {
        let before = try? await MailReader(path: account.cachePath, owner: account.owner)?.status().messages
        let session = try SyncCommand.session(
            account, path: file, expectedMessages: before ?? nil, showsProgress: !options.quiet)
        defer { session.close() }
        defer { if !options.quiet { Output.endProgress() } }
        let report = try await session.engine.pass()
        // Bodies that were opened stay readable offline.
        _ = try await session.store.carryBodies(from: account.cachePath, owner: account.owner)
        Log.shared.passFinished(report, account)
        // Whole in itself before it takes the name, and quick to open.
        await session.store.tidy()
        return report
    }
}
