internal import MailFilter
internal import MailModel
internal import MailStorage
internal import MailUI
internal import Platform

/// The filter that the list shows, while it is looked for.
struct ListSearch {
    /// A connection of its own, so that no other read waits for a long search.
    var reader: MailReader?
    var inode: UInt64?
    var task: Task<Void, Never>?
    /// What the task looks for; `nil` while there is none.
    var running: Question?
    /// Whether the cache has changed since the task began.
    var isStale = false

    /// A filter for one list.
    struct Question: Hashable {
        var scope: ListScope
        var text: String
        var limit: Int
        var generation: Int
    }
}

/// Searches of the list.
extension TerminalProgram {
    /// What a filter's dates stand on now.
    var filterClock: FilterClock { FilterClock(nowMilliseconds: WallClock.milliseconds(), zone: state.zone) }

    /// Looks for what a filter means; a search for something else ends.
    ///
    /// A search for the same goes on, so that commits which follow each other quickly do not keep it from its end.
    func loadFiltered(_ asked: ListSearch.Question, _ run: AccountRun) {
        if run.search.running == asked {
            run.search.isStale = true
            return
        }
        run.search.task?.cancel()
        guard let filter = try? FilterParser.parse(asked.text) else { return }
        (run.search.running, run.search.isStale) = (asked, false)
        let (scope, generation) = (asked.scope, asked.generation)
        let question = SearchQuestion(filter, clock: filterClock, limit: asked.limit)
        let known = run.search.inode == run.readerInode ? run.search.reader : nil
        let (path, owner, inode) = (run.account.cachePath, run.account.owner, run.readerInode)
        run.search.task = effect {
            do {
                guard let reader = try known ?? MailReader(path: path, owner: owner) else {
                    return await self.ended(asked, run)
                }
                let found = try await reader.conversations(in: scope, question)
                await self.keep(reader, inode, run)
                let (list, hasMore) = found
                await self.ended(
                    asked, run,
                    .conversationsLoaded(
                        scope, generation: generation, rows: list.rows, hasMore: hasMore, horizon: list.horizon))
            } catch is CancellationError {
                // Whoever cancelled it has begun another.
                return
            } catch {
                await self.ended(asked, run, .notice(Failures.failure(error).message))
            }
        }
    }

    private func keep(_ reader: MailReader, _ inode: UInt64?, _ run: AccountRun) {
        (run.search.reader, run.search.inode) = (reader, inode)
    }

    /// Shows what a search came to, and looks once more when the cache changed meanwhile.
    private func ended(_ asked: ListSearch.Question, _ run: AccountRun, _ event: AppEvent? = nil) {
        let isStale = run.search.isStale
        if run.search.running == asked { (run.search.running, run.search.isStale) = (nil, false) }
        if let event { tellAndPaint(event, run) }
        if isStale, run.search.running == nil { loadFiltered(asked, run) }
    }

    /// Asks the server for what the cache may not have, and shows what of it is here.
    func searchServer(_ scope: ListScope, _ text: String, _ run: AccountRun) {
        guard !isOffline, let filter = try? FilterParser.parse(text), let asked = filter.serverSearch,
            let reader = run.reader
        else { return }
        let (backend, clock) = (run.backend, filterClock)
        effect {
            do {
                let hits = try await backend.searchServer(
                    asked.text, mailbox: filter.namesMailbox ? nil : scope.mailboxID,
                    folder: filter.namesPlace ? nil : scope.folder)
                var rest = asked.rest.map { [$0] } ?? []
                if !filter.namesPlace { rest.append(.place(.folder(scope.folder))) }
                let found = try await reader.conversations(in: scope, of: hits, fitting: .all(rest), clock)
                await self.tellAndPaint(
                    .serverSearched(scope, filter: text, rows: found.rows, unknown: found.unknown), run)
            } catch is CancellationError {
                return
            } catch {
                await self.tellAndPaint(
                    .serverSearchFailed(scope, filter: text, Failures.failure(error).message), run)
            }
        }
    }

    /// Lets the search index follow what was fetched before, also where no pass will run.
    func indexInIdleTime(_ run: AccountRun) {
        let backend = run.backend
        Task { await backend.indexWords() }
    }
}
