internal import MailModel
internal import TerminalUI

extension AppState {
    /// Opens a conversation or draft in the reader.
    mutating func open(_ item: ItemID) -> [Effect] {
        reader = ReaderState(item: item)
        guard case .thread(let thread) = item else { return [] }
        return [.loadConversation(thread)]
    }

    mutating func performInReader(_ id: ActionID) -> [Effect] {
        if let effects = performPlace(id) { return effects }
        switch id {
        case .back:
            reader = nil
            return []
        case .nextConversation, .previousConversation:
            guard let item = neighbour(by: (id == .nextConversation ? 1 : -1) * (count ?? 1)) else { return [] }
            list.selected = item
            return open(item) + loadMoreIfNear()
        case .nextUnread, .previousUnread:
            return selectUnread(isForward: id == .nextUnread)
        case .nextMessage, .previousMessage:
            moveMessage(by: (id == .nextMessage ? 1 : -1) * (count ?? 1))
        case .toggleFold, .unfold, .fold, .unfoldAll, .foldAll:
            changeFolds(id)
        case .toggleQuotes:
            reader?.showQuotes.toggle()
        default:
            scrollReader(id)
        }
        return []
    }

    private mutating func scrollReader(_ id: ActionID) {
        guard var pane = reader else { return }
        let rows = max(1, layout.readerRows)
        let last = max(0, pane.content.lines.count - rows)
        guard let top = Scroll.moved(pane.top, by: id, page: max(1, rows - 1), last: last, count: count) else {
            return
        }
        pane.top = top
        pane.anchor = nil
        pane.current = pane.content.message(visibleFrom: top, rows: rows, preferring: pane.current)
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
        let index = pane.messages.firstIndex { $0.summary.id == pane.current } ?? 0
        let target = max(0, min(pane.messages.count - 1, index + step))
        reader?.current = pane.messages[target].summary.id
        showCurrentMessage()
    }

    /// Scrolls so that the current message's first line is on the screen.
    mutating func showCurrentMessage(isFirst: Bool = false) {
        layOutReader()
        guard var pane = reader, let current = pane.current, let line = pane.content.starts[current] else { return }
        let rows = max(1, layout.readerRows)
        if line < pane.top || line >= pane.top + max(1, rows * 2 / 3) {
            pane.top = isFirst && line < rows / 2 ? 0 : line
            pane.anchor = nil
        }
        reader = pane
        layOutReader()
    }

    /// Lays the open conversation out for the pane's width, reusing what has not changed.
    mutating func layOutReader() {
        guard var pane = reader else { return }
        let columns = layout.readerColumns
        let place = pane.content.place(of: pane.top)
        let oldColumns = pane.content.columns
        if case .draft(let id) = pane.item {
            pane.content =
                drafts.first { $0.id == id }.map { ReaderContent.of($0, columns: columns) }
                ?? ReaderContent()
        } else {
            pane.bodies = pane.bodies.filter { $0.key.columns == columns }
            pane.content = ReaderBuilder(columns: columns, now: now, utcOffsetSeconds: utcOffsetSeconds)
                .content(of: &pane)
        }
        pane.content.columns = columns
        let old = place.map { ReaderState.Anchor(place: $0, columns: oldColumns) }
        if columns != oldColumns, let anchor = pane.anchor ?? old {
            pane.anchor = anchor
            pane.top = pane.content.line(at: anchor.place, isRewrapped: columns != anchor.columns) ?? pane.top
        } else if let place {
            pane.top = pane.content.line(at: place, isRewrapped: false) ?? pane.top
        }
        pane.top = max(0, min(pane.top, pane.content.lines.count - max(1, layout.readerRows)))
        reader = pane
    }
}
