internal import MailModel
internal import TerminalUI

extension AppState {
    /// Takes one event and answers what is to be done about it.
    package mutating func update(_ event: AppEvent) -> [Effect] {
        let effects = handle(event)
        keepListInView()
        layOutReader()
        return effects
    }

    private mutating func handle(_ event: AppEvent) -> [Effect] {
        switch event {
        case .started:
            return [.loadCounts, loadList()]
        case .input(let input):
            return handle(input)
        case .resized(let newSize):
            size = newSize
            return []
        case .countsLoaded(let loaded):
            counts = loaded
            return leaveVanishedMailbox()
        case .conversationsLoaded(let loadedScope, let generation, let rows, let hasMore):
            return take(rows, of: loadedScope, generation: generation, hasMore: hasMore)
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
        case .clock(let seconds, let offset):
            now = seconds
            utcOffsetSeconds = offset
            return []
        case .historyLoaded(let lines):
            history = Array((lines + history).suffix(AppState.historyMax))
            return []
        case .configured(let keyMap, let settings):
            (self.keyMap, self.settings) = (keyMap, settings)
            (pendingKeys, count) = ([], nil)
            return []
        case .notice(let sentence):
            notice = sentence
            return []
        case .storeChanged(let change):
            return reload(after: change)
        case .filesProgressed, .filesSaved, .fileExists, .fileFailed, .pathCompleted:
            takeFileEvent(event)
            return []
        case .syncStarted, .syncProgress, .syncFinished, .syncFailed, .offline, .syncedAt:
            return handleSync(event)
        }
    }

    private mutating func handleSync(_ event: AppEvent) -> [Effect] {
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
            sync.lastSynced = now
        case .syncFailed(let reason):
            sync.isRunning = false
            sync.progress = nil
            sync.failure = reason
        case .syncedAt(let seconds):
            sync.isRunning = false
            sync.progress = nil
            sync.lastSynced = seconds ?? sync.lastSynced
        case .offline(let isOffline):
            return setOffline(isOffline)
        default:
            break
        }
        return []
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
        return effects
    }

    private mutating func take(_ messages: [ConversationMessage], of thread: ThreadID) -> [Effect] {
        guard var pane = reader, pane.item == .thread(thread) else { return [] }
        let isFirst = !pane.isLoaded
        pane.take(messages)
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
