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
        case .of(let label, let effect):
            guard let run = run(of: label) else { return }
            perform(effect, for: run)
        case .accountShown(let label): accountShown(label)
        case .beginSignIn(let request): beginSignIn(request)
        case .finishSignIn(let isSamePerson): finishSignIn(isSamePerson: isSamePerson)
        case .cancelSignIn: cancelSignIn()
        case .openDemo: openDemo()
        default: perform(effect, for: current)
        }
    }

    /// Does what an account is asked for; answers go to the same account, whichever is shown then.
    private func perform(_ effect: Effect, for run: AccountRun) {
        switch effect {
        case .loadCounts: load(run) { .countsLoaded(try await $0.mailboxCounts()) }
        case .loadCombined(let filter, let limit, let generation) where !filter.isEmpty:
            loadFiltered(
                ListSearch.Question(
                    scope: ListScope(folder: .inbox), text: filter, limit: limit, generation: generation,
                    isCombined: true), run)
        case .loadCombined(_, let limit, let generation):
            load(run) { reader in
                let list = try await reader.conversationList(in: ListScope(folder: .inbox), limit: limit + 1)
                return .combinedLoaded(
                    Array(list.rows.prefix(limit)), hasMore: list.rows.count > limit, horizon: list.horizon,
                    generation: generation)
            }
        case .loadConversations(let scope, let filter, let limit, let generation) where !filter.isEmpty:
            loadFiltered(
                ListSearch.Question(scope: scope, text: filter, limit: limit, generation: generation), run)
        case .searchServer(let scope, let filter): searchServer(scope, filter, run)
        case .findMatches(let scope, let filter, let limit): findMatches(scope, filter, limit, run)
        case .loadConversations(let scope, _, let limit, let generation):
            load(run) { reader in
                let list = try await reader.conversationList(in: scope, limit: limit + 1)
                return .conversationsLoaded(
                    scope, generation: generation, rows: Array(list.rows.prefix(limit)),
                    hasMore: list.rows.count > limit, horizon: list.horizon)
            }
        case .loadDrafts: load(run) { .draftsLoaded(try await $0.drafts(mailbox: nil)) }
        case .loadConversation(let thread): load(run) { .conversationLoaded(thread, try await $0.conversation(thread)) }
        case .fetchBodies(let thread, let first): fetchBodies(thread, first: first, run)
        case .triage, .undo, .settle, .loadOutbox, .retryOperation, .dropOperation, .wake: performTriage(effect, run)
        case .writing(let effect): performWriting(effect, run)
        case .syncNow: syncNow(run)
        case .drawPicture(let request): drawPicture(request, run)
        case .loadRemoteImages(let message): loadRemoteImages(message, run)
        case .trustSender(let message): trustSender(message, run)
        default: performHere(effect)
        }
    }

    /// Does what concerns the screen, or what the person does with a message on it.
    private func performHere(_ effect: Effect) {
        switch effect {
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
        case .mouse(let isOn): terminal.setMouse(isOn)
        default: break
        }
    }

    /// Answers an effect from the cache; a failed read becomes a sentence.
    private func load(_ run: AccountRun, _ question: @escaping @Sendable (MailReader) async throws -> AppEvent) {
        guard let reader = run.reader else { return }
        if !hasBegun { awaited += 1 }
        effect {
            do {
                await self.took(try await question(reader), run)
            } catch {
                await self.readFailed(error, run)
            }
        }
    }

    /// Shows an answer of the cache; the last that the first frame waited for shows them all.
    private func took(_ answer: AppEvent, _ run: AccountRun) {
        tell(answer, run)
        if hasBegun { return paint() }
        awaited -= 1
        if awaited == 0 { paintFirst() }
    }

    /// Tells of a failed read; a damaged cache is set aside and fetched anew, unless that has to wait for a network.
    private func readFailed(_ error: any Error, _ run: AccountRun) {
        took(.notice(Failures.failure(error).message), run)
        guard (error as? StoreError) == .damaged, !isOffline else { return }
        run.schedule.hurry()
        prepareCache(run)
    }

    private func fetchBodies(_ thread: ThreadID, first: [MessageID], _ run: AccountRun) {
        guard let reader = run.reader else { return }
        if isOffline { return tell(.bodiesFailed(thread, "This text was not fetched before going offline."), run) }
        let backend = run.backend
        // Hundreds of requests for a thread that nobody looks at any more would hold up those for the next one.
        run.bodies?.cancel()
        run.bodies = effect {
            do {
                for id in first { try await backend.fetchBodies([id]) }
                let missing = try await reader.conversation(thread).filter {
                    $0.detail == nil || ($0.detail?.htmlAvailable == true && $0.html == nil)
                }
                try await backend.fetchBodies(missing.map(\.summary.id))
                let filled = try await reader.conversation(thread)
                await self.tellAndPaint(.conversationLoaded(thread, filled), run)
            } catch is CancellationError {
                return
            } catch {
                await self.tellAndPaint(.bodiesFailed(thread, Failures.failure(error).message), run)
            }
        }
    }
}
