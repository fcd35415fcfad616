internal import DisplayText
internal import MailFilter
package import MailModel

/// The list's filter: what is typed after `/`.
extension AppState {
    /// The offsets of the person's clocks.
    package var zone: ZoneOffsets { presentation.zone }

    /// What a filter's dates stand on.
    var filterClock: FilterClock { FilterClock(nowMilliseconds: now * 1_000, zone: presentation.zone) }

    /// Shows only what the filter means; an empty text shows all again.
    ///
    /// What is no filter changes nothing: somebody may be in the middle of typing it.
    mutating func setFilter(_ text: String) -> [Effect] {
        if isCombinedShown { return setCombinedFilter(text) }
        let words = AppState.words(text)
        (list.fault, list.isFaultTold) = (nil, false)
        guard words != list.filter else { return [] }
        var parsed: Filter?
        if !words.isEmpty {
            do {
                parsed = try FilterParser.parse(text)
            } catch {
                list.fault = error
                return []
            }
        }
        if list.filter.isEmpty {
            // Where the person was, should nothing fit.
            if let selected = list.selected { remembered[scope] = selected }
            list.unfilteredLimit = list.limit
        }
        list.seek = nil
        (list.parsed, list.serverRows) = (parsed, [])
        if scope.folder == .drafts {
            changeItems {
                ($0.list.filter, $0.list.shownFilter) = (words, words)
                $0.list.hits = $0.draftHits
            }
            return []
        }
        list.filter = words
        list.limit = words.isEmpty ? list.unfilteredLimit ?? ListState.step : ListState.step
        list.generation += 1
        return [loadList()]
    }

    /// Keeps the filter and asks the server as well; what is no filter is told, and stays to be mended.
    mutating func finishFilter(_ line: Prompt) -> [Effect] {
        if typedFault != nil {
            list.isFaultTold = true
            return [.bell]
        }
        prompt = nil
        return isCombinedShown ? askServers() : askServer()
    }

    /// Shows a filter that was given whole; what is no filter is told.
    mutating func applyFilter(_ text: String) -> [Effect] {
        let effects = setFilter(text)
        guard let fault = typedFault else { return effects }
        typedFault = nil
        notice = TextDisplay.sanitizedLine(fault.message)
        return [.bell]
    }

    private mutating func askServer() -> [Effect] {
        guard scope.folder != .drafts, !list.filter.isEmpty, list.parsed?.serverSearch != nil else { return [] }
        if sync.isOffline {
            notice = "Offline: only mail that is here was searched, and the server was not asked."
            return []
        }
        return [.searchServer(scope, filter: list.filter)]
    }

    /// The drafts that the filter means; `nil` without one.
    var draftHits: Set<DraftID>? {
        guard let filter = list.parsed else { return nil }
        return Set(
            drafts.filter { draft in
                let address = counts.first { $0.mailbox?.id == draft.mailboxID }?.mailbox?.address
                return filter.matches(
                    FilterSubject(
                        summary: draft.summary, mailboxAddress: address ?? "", bodyText: draft.text, isAnswered: false),
                    filterClock)
            }.map(\.id))
    }

    mutating func takeServerHits(_ event: AppEvent) {
        switch event {
        case .serverSearched(let place, let filter, let rows, let unknown):
            guard place == scope, filter == list.filter else { return }
            let known = Set(list.rows.map(\.threadID))
            let new = rows.filter { !known.contains($0.threadID) }
            changeItems {
                $0.list.serverRows = new
                $0.list.rows = $0.withServerRows($0.list.rows)
            }
            guard notice == nil, prompt == nil else { return }
            let more = unknown > 0 ? "; \(Formatting.grouped(unknown)) more are not fetched yet" : ""
            notice =
                new.isEmpty && unknown == 0
                ? "The server found nothing more."
                : "The server found \(Formatting.grouped(new.count)) more, marked +\(more)."
        case .serverSearchFailed(let place, let filter, let sentence):
            guard place == scope, filter == list.filter, notice == nil, prompt == nil else { return }
            notice = "The server was not asked: " + TextDisplay.sanitizedLine(sentence)
        default: break
        }
    }

    /// Rows of the cache with those that only the server found, in the order of the list.
    func withServerRows(_ rows: [ConversationRow]) -> [ConversationRow] {
        guard !list.serverRows.isEmpty else { return rows }
        let known = Set(rows.map(\.threadID))
        let all = rows + list.serverRows.filter { !known.contains($0.threadID) }
        return all.sorted { $0.shown.activityAt > $1.shown.activityAt }
    }

    /// Whether only the server found a line.
    func isFromServer(_ index: Int) -> Bool {
        !list.serverRows.isEmpty && list.rows.indices.contains(index)
            && list.serverRows.contains { $0.threadID == list.rows[index].threadID }
    }
}

extension ListState {
    /// Whether the filter says itself which folders or mailboxes it means.
    var looksElsewhere: Bool { parsed.map { $0.namesPlace || $0.namesMailbox } ?? false }
}

extension Draft {
    /// The draft as filters see it: a message that is being sent.
    fileprivate var summary: MessageSummary {
        MessageSummary(
            id: MessageID(id.rawValue), threadID: ThreadID(id.rawValue), mailboxID: mailboxID, direction: .outbound,
            folder: Folder.drafts.rawValue, fromAddress: from, to: to, subject: subject, snippet: "", receivedAt: nil,
            sentAt: nil, readAt: updatedAt, starredAt: nil, hasAttachments: !attachments.isEmpty, createdAt: updatedAt)
    }
}
