internal import MailModel
internal import TerminalUI

extension AppState {
    /// Opens a conversation or draft in the reader.
    mutating func open(_ item: ItemID) -> [Effect] {
        if case .draft(let id) = item { return openDraft(id) }
        reader = ReaderState(item: item)
        files.menu = nil
        guard case .thread(let thread) = item else { return [] }
        return [.loadConversation(thread)]
    }

    mutating func performInReader(_ id: ActionID) -> [Effect] {
        if let effects = performPlace(id) ?? performFiles(id) { return effects }
        switch id {
        case .back:
            if let effects = backToCombined() { return effects }
            reader = nil
            return []
        case .nextConversation, .previousConversation:
            let step = (id == .nextConversation ? 1 : -1) * (count ?? 1)
            if isReadingCombined { return combined?.neighbour(by: step).map { readOnInCombined($0) } ?? [] }
            if let index = selectedIndex, index + step >= items.count,
                let effects = seekLine(index + step, isFar: false, opens: true)
            {
                return effects
            }
            guard let item = neighbour(by: step) else { return [] }
            list.selected = item
            return open(item) + loadMoreIfNear()
        case .nextUnread, .previousUnread:
            if isReadingCombined {
                return combined?.unread(isForward: id == .nextUnread).map { readOnInCombined($0) } ?? []
            }
            return selectUnread(isForward: id == .nextUnread)
        case .nextMessage, .previousMessage:
            moveMessage(by: (id == .nextMessage ? 1 : -1) * (count ?? 1))
        case .toggleFold, .unfold, .fold, .unfoldAll, .foldAll:
            changeFolds(id)
        case .togglePictures: togglePictures()
        case .loadImages: return loadRemoteImages()
        case .trustSender:
            let armed = armedTrust
            armedTrust = nil
            return trustSender(wasArmed: armed)
        case .openLink, .copyLink:
            askForLink(id == .openLink ? .open : .copy)
        case .toggleForm: toggleForm()
        case .toggleQuotes:
            reader?.showQuotes.toggle()
        case .toggleHeaders:
            reader?.showHeaders.toggle()
            showCurrentMessage()
        default:
            scrollReader(id)
        }
        return []
    }

    private mutating func scrollReader(_ id: ActionID) {
        let rows = max(1, layout.readerRows)
        switch id {
        case .first where count == nil: showEdge(isLast: false)
        case .last where count == nil: showEdge(isLast: true)
        case .first, .last:
            // Lines far away are not laid out and have no number; messages have.
            let target = reader?.messages.prefix(count ?? 1).last?.summary.id
            reader?.current = target
            showCurrentMessage()
        default:
            let middle = Int.max / 2
            guard
                let moved = Scroll.moved(middle, by: id, page: max(1, rows - 1), last: Int.max, count: count)
            else { return }
            layOutReader(reach: abs(moved - middle) + rows)
            setTop((reader?.top ?? 0) + moved - middle)
        }
    }

    /// Shows the beginning or the end of the conversation.
    private mutating func showEdge(isLast: Bool) {
        let edge = isLast ? reader?.messages.last : reader?.messages.first
        layOutReader(around: edge?.summary.id)
        setTop(isLast ? reader?.content.lines.count ?? 0 : 0)
    }

    /// Makes a laid-out line the first one shown.
    private mutating func setTop(_ line: Int) {
        guard var pane = reader else { return }
        let rows = max(1, layout.readerRows)
        pane.top = max(0, min(line, pane.content.lines.count - rows))
        pane.anchor = nil
        pane.current = pane.content.message(visibleFrom: pane.top, rows: rows, preferring: pane.current)
        reader = pane
    }

    private mutating func changeFolds(_ id: ActionID) {
        guard var pane = reader else { return }
        switch id {
        case .unfoldAll: pane.folded = []
        case .foldAll: pane.folded = Set(pane.messages.map(\.summary.id))
        default:
            guard let current = pane.current else { return }
            let isFolded = pane.folded.contains(current)
            if id == .fold || (id == .toggleFold && !isFolded) {
                pane.folded.insert(current)
            } else {
                pane.folded.remove(current)
            }
        }
        reader = pane
        showCurrentMessage()
    }

    private mutating func moveMessage(by step: Int) {
        guard let pane = reader, !pane.messages.isEmpty else { return }
        let index = pane.current.flatMap { pane.index[$0] } ?? 0
        let target = max(0, min(pane.messages.count - 1, index + step))
        reader?.current = pane.messages[target].summary.id
        showCurrentMessage()
    }

    /// Scrolls so that the current message's first line is on the screen.
    mutating func showCurrentMessage(isFirst: Bool = false) {
        layOutReader()
        if let current = reader?.current, reader?.content.starts[current] == nil { layOutReader(around: current) }
        guard var pane = reader, let current = pane.current, let line = pane.content.starts[current] else { return }
        let rows = max(1, layout.readerRows)
        if line < pane.top || line >= pane.top + max(1, rows * 2 / 3) {
            let isNearStart = isFirst && pane.content.window.isAtStart && line < rows / 2
            pane.top = isNearStart ? 0 : line
            pane.anchor = nil
        }
        reader = pane
        layOutReader()
    }

    /// Lays out what is shown for the pane's width, with enough around it to scroll by `reach` lines.
    ///
    /// What has not changed is not laid out again. `around` goes to another message; the first line shown is then
    /// its own, unless the window already had it.
    mutating func layOutReader(around target: MessageID? = nil, reach: Int = 0) {
        guard var pane = reader else { return }
        let columns = layout.readerColumns
        let oldColumns = pane.content.columns
        let isRewrapped = columns != oldColumns
        let old = pane.content.place(of: pane.top).map { ReaderState.Anchor(place: $0, columns: oldColumns) }
        let anchor = isRewrapped ? pane.anchor ?? old : old
        if case .draft(let id) = pane.item {
            pane.content =
                drafts.first { $0.id == id }.map { ReaderContent.of($0, columns: columns) }
                ?? ReaderContent()
            pane.content.columns = columns
        } else {
            if isRewrapped { pane.bodies = pane.bodies.filter { $0.key.columns == columns } }
            var builder = ReaderBuilder(
                columns: columns, now: now, zone: presentation.zone, ordersText: drawsInOrder)
            builder.showsPictures = showsPictures
            builder.pictureRows = layout.pictureRows
            builder.preferredForm = presentation.preferredForm
            builder.keyNames = pictureKeyNames
            pane.content = builder.content(
                of: &pane, around: target ?? anchor?.place.message, margin: max(reach, layout.readerRows * 2))
        }
        if let target {
            pane.top = pane.content.starts[target] ?? pane.top
        } else if let anchor {
            if isRewrapped { pane.anchor = anchor }
            pane.top = pane.content.line(at: anchor.place, isRewrapped: columns != anchor.columns) ?? pane.top
        }
        pane.top = max(0, min(pane.top, pane.content.lines.count - max(1, layout.readerRows - linkPanelRows)))
        reader = pane
    }
}
