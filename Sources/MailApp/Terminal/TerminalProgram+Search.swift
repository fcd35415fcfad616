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
    /// How much of the mail is searched, and the state of the cache that this was counted in.
    var coverage: (version: Int64, coverage: SearchCoverage)?

    /// A filter for one list.
    struct Question: Hashable {
        var scope: ListScope
        var text: String
        var limit: Int
        var generation: Int
        /// Whether the inbox of all accounts asks.
        var isCombined = false

        /// The answer.
        func answer(_ list: ConversationList, hasMore: Bool) -> AppEvent {
            if isCombined {
                return .combinedLoaded(list.rows, hasMore: hasMore, horizon: list.horizon, generation: generation)
            }
            return .conversationsLoaded(
                scope, generation: generation, rows: list.rows, hasMore: hasMore, horizon: list.horizon)
        }
    }
}

/// The searches of an account: that of its list, and its part of the inbox of all accounts.
///
/// The two do not end each other.
struct ListSearches {
    private var list = ListSearch()
    private var combined = ListSearch()

    /// The search that a question is for.
    subscript(asked: ListSearch.Question) -> ListSearch {
        get { asked.isCombined ? combined : list }
        set { if asked.isCombined { combined = newValue } else { list = newValue } }
    }

    /// Ends both.
    func cancel() {
        list.task?.cancel()
        combined.task?.cancel()
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
        if run.searches[asked].running == asked {
            run.searches[asked].isStale = true
            return
        }
        run.searches[asked].task?.cancel()
        guard let filter = try? FilterParser.parse(asked.text) else { return }
        (run.searches[asked].running, run.searches[asked].isStale) = (asked, false)
        let question = SearchQuestion(filter, clock: filterClock, limit: asked.limit)
        let known = run.searches[asked].inode == run.readerInode ? run.searches[asked].reader : nil
        let (path, owner, inode) = (run.account.cachePath, run.account.owner, run.readerInode)
        run.searches[asked].task = effect {
            do {
                guard let reader = try known ?? MailReader(path: path, owner: owner) else {
                    return await self.ended(asked, run)
                }
                let (list, hasMore) = try await reader.conversations(in: asked.scope, question)
                await self.keep(reader, inode, asked, run)
                if !asked.isCombined, filter.asksForWords { try await self.tellCoverage(reader, asked, run) }
                await self.ended(asked, run, asked.answer(list, hasMore: hasMore))
            } catch is CancellationError {
                // Whoever cancelled it has begun another.
                return
            } catch {
                await self.ended(asked, run, .notice(Failures.failure(error).message))
            }
        }
    }

    /// Tells how much of the mail is searched; counted anew only when the cache has changed.
    private func tellCoverage(_ reader: MailReader, _ asked: ListSearch.Question, _ run: AccountRun) async throws {
        let version = try await reader.dataVersion()
        if run.searches[asked].coverage?.version != version {
            run.searches[asked].coverage = (version, try await reader.searchCoverage())
        }
        if let coverage = run.searches[asked].coverage?.coverage { tellAndPaint(.searchCovered(coverage), run) }
    }

    private func keep(
        _ reader: MailReader, _ inode: UInt64?, _ asked: ListSearch.Question, _ run: AccountRun
    ) {
        (run.searches[asked].reader, run.searches[asked].inode) = (reader, inode)
    }

    /// Shows what a search came to, and looks once more when the cache changed meanwhile.
    private func ended(_ asked: ListSearch.Question, _ run: AccountRun, _ event: AppEvent? = nil) {
        let isStale = run.searches[asked].isStale
        if run.searches[asked].running == asked {
            (run.searches[asked].running, run.searches[asked].isStale) = (nil, false)
        }
        if let event { tellAndPaint(event, run) }
        if isStale, run.searches[asked].running == nil { loadFiltered(asked, run) }
    }

    /// Asks the server for what the cache may not have, and shows what of it is here.
    func searchServer(_ scope: ListScope, _ text: String, _ run: AccountRun) {
        guard !isOffline, let filter = try? FilterParser.parse(text), let asked = filter.serverSearch else { return }
        guard let reader = run.reader else {
            return tellAndPaint(.serverSearchFailed(scope, filter: text, "no mail of it is here yet."), run)
        }
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

    /// Finds what of a list a filter means, by a connection of its own.
    func findMatches(_ scope: ListScope, _ text: String, _ limit: Int, _ run: AccountRun) {
        guard let filter = try? FilterParser.parse(text) else { return }
        let question = SearchQuestion(filter, clock: filterClock, limit: limit)
        let (path, owner) = (run.account.cachePath, run.account.owner)
        effect {
            do {
                guard let reader = try MailReader(path: path, owner: owner) else { return }
                let found = try await reader.conversations(in: scope, question)
                await self.tellAndPaint(
                    .matchesFound(scope, filter: text, found.list.rows.map(\.threadID)), run)
            } catch is CancellationError {
                return
            } catch {
                await self.tellAndPaint(.notice(Failures.failure(error).message), run)
            }
        }
    }

    /// Lets the search index follow what was fetched before, also where no pass will run.
    func indexInIdleTime(_ run: AccountRun) {
        let backend = run.backend
        Task { await backend.indexWords() }
    }
}
