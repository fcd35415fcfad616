internal import MailModel
internal import MailStorage
internal import MailUI
internal import Platform
internal import TerminalDriver

/// What the state asks for, done beside the loop.
extension TerminalProgram {
    /// Does something beside the loop; until it is over the program is not idle.
    @discardableResult
    func effect(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        idle.begin()
        let idle = idle
        return Task(executorPreference: UILoop.shared) {
            await work()
            idle.end()
        }
    }

    func perform(_ effect: Effect) {
        switch effect {
        case .loadCounts: load { .countsLoaded(try await $0.mailboxCounts()) }
        case .loadConversations(let scope, let filter, let limit, let generation) where !filter.isEmpty:
            loadFiltered(ListSearch.Question(scope: scope, text: filter, limit: limit, generation: generation))
        case .searchServer(let scope, let filter): searchServer(scope, filter)
        case .loadConversations(let scope, _, let limit, let generation):
            load { reader in
                let list = try await reader.conversationList(in: scope, limit: limit + 1)
                return .conversationsLoaded(
                    scope, generation: generation, rows: Array(list.rows.prefix(limit)),
                    hasMore: list.rows.count > limit, horizon: list.horizon)
            }
        case .loadDrafts: load { .draftsLoaded(try await $0.drafts(mailbox: nil)) }
        case .loadConversation(let thread): load { .conversationLoaded(thread, try await $0.conversation(thread)) }
        case .fetchBodies(let thread, let first): fetchBodies(thread, first: first)
        case .triage, .undo, .settle, .loadOutbox, .retryOperation, .dropOperation, .wake: performTriage(effect)
        case .syncNow: syncNow()
        case .drawPicture(let request): drawPicture(request)
        case .loadRemoteImages(let message): loadRemoteImages(message)
        case .trustSender(let message): trustSender(message)
        case .openAddress(let address): openAddress(address)
        case .copy(let text): copy(text)
        case .remember(let line): remember(line)
        case .changeSetting(let text): changeSetting(text)
        case .reloadSettings: reloadSettings()
        case .save(let request): save(request)
        case .openAttachment(_, let attachment): openAttachment(attachment)
        case .pipe(let message, let command): pipe(message, to: command)
        case .completePath(let typed): completePath(typed)
        case .cancelFiles: cancelFiles()
        case .quit: quit()
        case .suspend: stopProcess()
        case .redraw: terminal.repaint()
        case .bell: if account.settings.ringsForMistakes { terminal.ring() }
        case .mailBell: if account.settings.ringsForMail { terminal.ring() }
        case .mouse(let isOn): terminal.setMouse(isOn)
        }
    }

    /// Answers an effect from the cache; a failed read becomes a sentence.
    private func load(_ question: @escaping @Sendable (MailReader) async throws -> AppEvent) {
        guard let reader else { return }
        if !hasBegun { awaited += 1 }
        effect {
            do {
                await self.took(try await question(reader))
            } catch {
                await self.readFailed(error)
            }
        }
    }

    /// Shows an answer of the cache; the last that the first frame waited for shows them all.
    private func took(_ answer: AppEvent) {
        apply(answer)
        if hasBegun { return paint() }
        awaited -= 1
        if awaited == 0 { paintFirst() }
    }

    /// Tells of a failed read; a damaged cache is set aside and fetched anew, unless that has to wait for a network.
    private func readFailed(_ error: any Error) {
        took(.notice(Failures.failure(error).message))
        guard (error as? StoreError) == .damaged, !schedule.isOffline else { return }
        schedule.hurry()
        prepareCache()
    }

    private func fetchBodies(_ thread: ThreadID, first: [MessageID]) {
        guard let reader else { return }
        if schedule.isOffline { return apply(.bodiesFailed(thread, "This text was not fetched before going offline.")) }
        let backend = backend
        // Hundreds of requests for a thread that nobody looks at any more would hold up those for the next one.
        bodies?.cancel()
        bodies = effect {
            do {
                for id in first { try await backend.fetchBodies([id]) }
                let missing = try await reader.conversation(thread).filter {
                    $0.detail == nil || ($0.detail?.htmlAvailable == true && $0.html == nil)
                }
                try await backend.fetchBodies(missing.map(\.summary.id))
                let filled = try await reader.conversation(thread)
                await self.applyAndPaint(.conversationLoaded(thread, filled))
            } catch is CancellationError {
                return
            } catch {
                await self.applyAndPaint(.bodiesFailed(thread, Failures.failure(error).message))
            }
        }
    }
}
