internal import DisplayText
internal import MailModel
internal import TerminalUI

extension AppState {
    /// Takes one event and answers what is to be done about it.
    package mutating func update(_ event: AppEvent) -> [Effect] {
        // A draft may be put away by the same answer that tells of its first save.
        let openBefore = writing.composer?.draft?.id ?? event.savedDraft
        var effects = guardQuit(handleOfShown(event) + performTypedAhead())
        if let openBefore, writing.composer?.draft?.id != openBefore {
            effects.insert(.writing(.closed(openBefore)), at: effects.firstIndex(of: .quit) ?? effects.endIndex)
        }
        if case .input = event { extendRange() }
        if outbox.armedDrop != nil, notice == nil, pendingKeys.isEmpty { outbox.armedDrop = nil }
        if armedTrust != nil, notice == nil, pendingKeys.isEmpty { armedTrust = nil }
        if let prompt = linkPrompt, reader?.current != prompt.message { linkPrompt = nil }
        if combined?.isShown == false, reader == nil { combined = nil }
        keepListInView()
        keepCombinedInView()
        keepOutboxInView()
        sizeEditor()
        layOutReview()
        cleanSnippets()
        layOutReader()
        return effects + askForPictures() + armReadTimers()
    }

    /// Takes an event of the account shown, or one about none.
    mutating func handle(_ event: AppEvent) -> [Effect] {
        switch event {
        case .of, .accounts, .accountForgotten, .signIn, .combinedLoaded:
            return handleAccounts(event)
        case .started:
            return [.loadCounts, loadList(), .writing(.loadDrafts)]
        case .input(let input):
            return handle(input)
        case .resized(let newSize):
            size = newSize
            return []
        case .countsLoaded(let loaded):
            counts = withPending(loaded)
            return leaveVanishedMailbox()
        case .conversationsLoaded(let loadedScope, let generation, let rows, let hasMore, let horizon):
            return take(rows, of: loadedScope, generation: generation, hasMore: hasMore, horizon: horizon)
        case .searchCovered(let coverage):
            list.coverage = coverage
            return []
        case .serverSearched, .serverSearchFailed:
            if !takeCombinedHits(event, of: accountLabel) { takeServerHits(event) }
            return []
        case .draftsLoaded(let loaded):
            return takeDrafts(loaded)
        case .conversationLoaded(let thread, let messages):
            return take(messages, of: thread)
        case .bodyFailed(let message, let reason):
            reader?.failures[message] = reason
            return []
        case .bodiesFailed(let thread, let reason):
            if reader?.item == .thread(thread) { reader?.threadFailure = reason }
            return []
        case .pictureDrawn, .pictureFailed, .picturesLost, .pictureFormChanged, .picturesUnavailable,
            .remoteImagesLoaded, .remoteImagesFailed:
            handlePicture(event)
            return []
        case .clock(let seconds, let offset):
            now = seconds
            if presentation.zone.seconds(at: seconds) != offset { presentation.zone = ZoneOffsets(fixed: offset) }
            return isSending ? [.writing(.loadDrafts)] : []
        case .zone(let zone):
            presentation.zone = zone
            return []
        case .historyLoaded(let lines):
            history = Array((lines + history).suffix(AppState.historyMax))
            prompt?.historyIndex = nil
            return []
        case .configured(let keyMap, let settings):
            (self.keyMap, self.settings) = (keyMap, settings)
            (pendingKeys, count) = ([], nil)
            return []
        case .notice(let sentence):
            notice = sentence
            return []
        case .storeChanged(let change):
            return combinedEffects(after: event, of: accountLabel) + reload(after: change)
        case .filesProgressed, .filesSaved, .fileExists, .fileFailed, .pathCompleted:
            takeFileEvent(event)
            return []
        case .syncStarted, .syncProgress, .syncFinished, .syncFailed, .offline, .syncedAt, .signInEnded, .signedInAt:
            return handleSync(event)
        case .triageQueued, .triageFailed, .undone, .settled, .outboxCounted, .outboxLoaded, .outboxFailed,
            .outboxChanged, .matchesFound, .woke, .triageConfigured:
            return handleTriage(event)
        case .writing(let event): return handleWriting(event)
        }
    }

    /// Takes what concerns accounts as such.
    private mutating func handleAccounts(_ event: AppEvent) -> [Effect] {
        switch event {
        case .of(let label, let event): handle(event, of: label)
        case .accounts(let entries, let shown): take(entries, shown: shown)
        case .accountForgotten(let label): forget(label)
        case .signIn(let event, let attempt): take(event, attempt: attempt)
        case .combinedLoaded: handle(event, of: accountLabel)
        default: []
        }
    }

    private mutating func handlePicture(_ event: AppEvent) {
        switch event {
        case .pictureDrawn(let request, let picture): take(.drawn(picture), for: request)
        case .pictureFailed(let request, let sentence): take(.failed(sentence), for: request)
        case .picturesLost(let images): reader?.pictures.forget { $0.image.map(images.contains) ?? false }
        case .pictureFormChanged: reader?.pictures.forget { _ in true }
        case .picturesUnavailable(let sentence):
            picturesUnavailable = sentence
            showsPictures = false
        case .remoteImagesLoaded(let id, let html): take(.loaded(html), for: id)
        case .remoteImagesFailed(let id, let sentence): take(.failed(sentence), for: id)
        default: break
        }
    }

    private mutating func handleSync(_ event: AppEvent) -> [Effect] {
        // What was told of an earlier pass is not true for longer than until the next.
        if let told = sync.told, notice == told { notice = nil }
        sync.told = nil
        switch event {
        case .syncStarted:
            sync.isRunning = true
            sync.progress = nil
        case .syncProgress(let progress):
            sync.isRunning = true
            sync.progress = progress
        case .syncFinished:
            sync.isRunning = false
            sync.progress = nil
            sync.failure = nil
            sync.isOffline = false
            sync.isSignedOut = false
            sync.wasAskedFor = false
            sync.lastSynced = now
        case .syncFailed(let reason):
            sync.isRunning = false
            sync.progress = nil
            let isNews = sync.failure != reason || sync.wasAskedFor
            sync.failure = reason
            tellFailure(isNews: isNews)
        case .syncedAt(let seconds):
            sync.isRunning = false
            sync.progress = nil
            sync.lastSynced = seconds ?? sync.lastSynced
        case .offline(let isOffline):
            return setOffline(isOffline)
        case .signInEnded(let isEnded): sync.isSignedOut = isEnded
        case .signedInAt(let seconds): sync.signedInAt = seconds
        default:
            break
        }
        return []
    }

    /// Shows a failure whole when it is new or asked for and the status line would cut it.
    private mutating func tellFailure(isNews: Bool) {
        let isAsked = sync.wasAskedFor
        sync.wasAskedFor = false
        let isCut = TextDisplay.width(of: syncText) + TextDisplay.width(of: positionText) + 4 > size.columns
        guard isNews, isAsked || isCut, notice == nil, prompt == nil, files.prompt == nil else { return }
        notice = syncText
        sync.told = notice
    }

    /// Bodies that could not be had while offline are asked for again once the server answers.
    private mutating func setOffline(_ isOffline: Bool) -> [Effect] {
        let isBack = sync.isOffline && !isOffline
        sync.isOffline = isOffline
        guard isBack, let thread = openThread, reader?.lacksBodies == true else { return [] }
        reader?.failures = [:]
        reader?.threadFailure = nil
        return [.fetchBodies(thread)]
    }

    /// Asks again for what a change may show differently.
    private mutating func reload(after change: StoreChange) -> [Effect] {
        var effects: [Effect] = []
        if !change.isEmpty { effects.append(.loadCounts) }
        let touchesList = scope.folder == .drafts ? change.touchesDrafts : change.touches(nil)
        if touchesList || change.touchesMailboxes { effects.append(loadList()) }
        if let thread = openThread, change.touches(thread) { effects.append(.loadConversation(thread)) }
        if outbox.isOpen, !change.isEmpty { effects.append(.loadOutbox) }
        if change.touchesDrafts { effects.append(.writing(.loadDrafts)) }
        return effects
    }

    mutating func take(_ messages: [ConversationMessage], of thread: ThreadID) -> [Effect] {
        guard var pane = reader, pane.item == .thread(thread) else { return [] }
        let isFirst = !pane.isLoaded
        pane.take(withPending(messages))
        let mustAsk = pane.lacksBodies && !pane.hasAskedForBodies
        if mustAsk { pane.hasAskedForBodies = true }
        reader = pane
        if isFirst { showCurrentMessage(isFirst: true) }
        if menuFiles.isEmpty { files.menu = nil }
        return mustAsk ? [.fetchBodies(thread, first: reader?.bodiesWantedFirst ?? [])] : []
    }

    /// A mailbox that is gone takes its list with it: all mailboxes are shown instead.
    private mutating func leaveVanishedMailbox() -> [Effect] {
        guard let mailbox = scope.mailboxID, !counts.isEmpty,
            !counts.contains(where: { $0.mailbox?.id == mailbox })
        else { return [] }
        // A reader of its mail closes with it; the sentence says why.
        notice = "The mailbox shown is no longer there; these are all mailboxes."
        return show(ListScope(folder: scope.folder))
    }
}

extension AppEvent {
    /// The draft that a save has told of, which is locked from then on; `nil` for all else.
    fileprivate var savedDraft: LocalDraftID? {
        if case .writing(.saved(_, let draft)) = self { draft.id } else { nil }
    }
}
