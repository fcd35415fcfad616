internal import MailModel
internal import TerminalUI

/// The mouse: a click selects or goes there, a second one opens, the wheel scrolls what is under it.
extension AppState {
    /// How many lines a step of the wheel scrolls.
    private static let wheelLines = 3

    /// Takes an event of the mouse.
    mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        pendingKeys = []
        count = nil
        isInterruptArmed = false
        switch mouse.kind {
        case .press: return press(at: mouse.position)
        case .wheelUp, .wheelDown: return wheel(at: mouse.position, isDown: mouse.kind == .wheelDown)
        }
    }

    /// Gives the mouse to the terminal, so that it can select text, or takes it back.
    mutating func toggleMouse() -> [Effect] {
        presentation.hasMouse.toggle()
        let keys = keyMap.keys(of: .toggleMouse, in: context).first?.text ?? ":toggle-mouse"
        notice =
            presentation.hasMouse
            ? "The mouse works in Herald again." : "The mouse selects text now; \(keys) gives it back to Herald."
        return [.mouse(presentation.hasMouse)]
    }

    private mutating func press(at place: Position) -> [Effect] {
        if writing.composer != nil, helpTop == nil, signIn == nil { return pressComposer(at: place) }
        guard !isMouseForKeys, !layout.isTooSmall, signIn == nil else { return [] }
        notice = nil
        let layout = layout
        if let sidebar = layout.sidebar, sidebar.contains(place) { return pressSidebar(place.row - sidebar.row) }
        if let list = layout.list, list.contains(place) { return pressList(place.row - list.row) }
        if let pane = layout.reader, pane.contains(place) { return pressReader(place.row - pane.row) }
        return []
    }

    private mutating func pressSidebar(_ row: Int) -> [Effect] {
        let lines = allSidebarLines
        let index = sidebarFirst(lines) + row
        guard lines.indices.contains(index) else { return [] }
        let line = lines[index]
        if let place = line.account { return go(to: place) }
        let wasCombined = isCombinedShown
        let left = leaveCombined()
        let isFolder = line.search == nil && shownSearch == nil
        guard isFolder else { return left + show(Place(scope: line.scope, search: line.search)) }
        return left + (wasCombined && line.scope == scope ? [loadList()] : show(line.scope))
    }

    private mutating func pressList(_ row: Int) -> [Effect] {
        if isCombinedShown { return pressCombined(row) }
        let all = items
        guard all.indices.contains(list.offset + row) else { return [] }
        let item = all[list.offset + row]
        list.seek = nil
        // Beside an open reader the list shows what is read, so a click there reads on.
        let opens = item == list.selected || reader != nil
        if opens && reader?.item == item { return [] }
        list.selected = item
        return (opens ? open(item) : []) + loadMoreIfNear()
    }

    private mutating func pressReader(_ row: Int) -> [Effect] {
        guard let pane = reader else { return list.selected.map { open($0) } ?? [] }
        let index = pane.top + row
        guard pane.content.lines.indices.contains(index), let message = pane.content.lines[index].message else {
            return []
        }
        reader?.current = message
        return pane.content.starts[message] == index ? performInReader(.toggleFold) : []
    }

    private mutating func wheel(at place: Position, isDown: Bool) -> [Effect] {
        let step = isDown ? AppState.wheelLines : -AppState.wheelLines
        if isMouseForKeys { return wheelAsKeys(isDown: isDown) }
        let layout = layout
        if let sidebar = layout.sidebar, sidebar.contains(place) {
            let lines = allSidebarLines
            sidebarTop = max(0, min(sidebarFirst(lines) + step, lines.count - sidebar.rows))
            return []
        }
        if let list = layout.list, list.contains(place) { return scrollList(by: step) }
        guard reader != nil else { return [] }
        return (0..<AppState.wheelLines).flatMap { _ in performInReader(isDown ? .moveDown : .moveUp) }
    }

    /// Whether something lies over the panes, or a line is being typed.
    private var isMouseForKeys: Bool {
        prompt != nil || files.prompt != nil || ![.list, .reader, .combined].contains(context)
    }

    /// Where no pane is to be scrolled the wheel moves as arrow keys do.
    private mutating func wheelAsKeys(isDown: Bool) -> [Effect] {
        (0..<AppState.wheelLines).flatMap { _ in handle(InputEvent.plain(isDown ? .down : .up)) }
    }

    /// Moves the list's window; the selection comes along at its edge, but stays with what the reader shows.
    private mutating func scrollList(by step: Int) -> [Effect] {
        if isCombinedShown {
            return (0..<abs(step)).flatMap { _ in performInCombined(step > 0 ? .moveDown : .moveUp) }
        }
        let all = items
        let rows = max(1, listRows)
        list.offset = max(0, min(list.offset + step, all.count - rows))
        if reader != nil {
            list.isLoose = true
        } else if let index = selectedIndex {
            let edge = max(list.offset, min(index, min(all.count, list.offset + rows) - 1))
            list.selected = all[edge]
        }
        return loadMoreIfNear()
    }
}
