internal import DisplayText
internal import MailFilter
internal import MailModel

/// The conversations of a list that the next action is for.
///
/// It is always a part of what the list shows: what leaves the list leaves the selection.
struct Selection<ID: Sendable & Hashable>: Sendable, Hashable {
    /// Those selected one by one, and by ranges that are done.
    private(set) var chosen: Set<ID> = []
    /// Where the range begun last begins; `nil` while none is.
    private(set) var anchor: ID?
    /// What lies in that range.
    ///
    /// It changes when the person moves, not when rows come: what comes is not chosen.
    private(set) var range: Set<ID> = []

    var isEmpty: Bool { chosen.isEmpty && range.isEmpty }
    var count: Int { range.isEmpty ? chosen.count : chosen.union(range).count }
    var isRanging: Bool { anchor != nil }

    func contains(_ thread: ID) -> Bool { chosen.contains(thread) || range.contains(thread) }

    mutating func toggle(_ thread: ID) {
        endRange()
        if chosen.remove(thread) == nil { chosen.insert(thread) }
    }

    mutating func add(_ threads: some Sequence<ID>) {
        endRange()
        chosen.formUnion(threads)
    }

    /// Selects of the threads exactly those that are not selected.
    mutating func invert(in threads: some Sequence<ID>) {
        endRange()
        chosen = Set(threads).subtracting(chosen)
    }

    mutating func clear() { self = Selection() }

    mutating func beginRange(at thread: ID) {
        endRange()
        (anchor, range) = (thread, [thread])
    }

    /// Keeps what lies in the range.
    mutating func endRange() {
        chosen.formUnion(range)
        (anchor, range) = (nil, [])
    }

    /// Takes what lies between the range's beginning and a line; a beginning that has left the list ends the range.
    mutating func extend(to line: Int, in rows: [ID]) {
        guard let anchor else { return }
        guard let start = rows.firstIndex(of: anchor), rows.indices.contains(line) else { return endRange() }
        range = Set(rows[min(start, line)...max(start, line)])
    }

    /// Drops what the list no longer shows.
    mutating func keep(_ threads: Set<ID>) {
        guard !isEmpty else { return }
        chosen.formIntersection(threads)
        range.formIntersection(threads)
        if let anchor, !threads.contains(anchor) { endRange() }
    }
}

extension AppState {
    /// The selected conversations, in the order of the list.
    var selectedRows: [ConversationRow] {
        selection.isEmpty ? [] : list.rows.filter { selection.contains($0.threadID) }
    }

    /// The actions on the selection; `nil` for all others.
    mutating func performSelection(_ id: ActionID) -> [Effect]? {
        switch id {
        case .select, .selectDown: return toggleSelected(goesOn: id == .selectDown)
        case .selectRange:
            guard !selection.isRanging else {
                selection.endRange()
                return []
            }
            if let selectedThread { selection.beginRange(at: selectedThread) }
            if let count, count > 1 { return moveInRange(by: count - 1) }
        case .selectAll: return seekMatches("")
        case .selectMatching: prompt = Prompt(.select)
        case .invertSelection: selection.invert(in: list.rows.map(\.threadID))
        case .clearSelection: selection.clear()
        default: return nil
        }
        return []
    }

    private mutating func toggleSelected(goesOn: Bool) -> [Effect] {
        guard let selectedThread else { return [] }
        guard goesOn else {
            selection.toggle(selectedThread)
            return []
        }
        var effects: [Effect] = []
        for _ in 0..<min(max(1, count ?? 1), list.rows.count) {
            guard let thread = self.selectedThread else { break }
            selection.toggle(thread)
            let place = list.selected
            count = nil
            effects += moveSelection(.moveDown)
            if list.selected == place { break }
        }
        return effects
    }

    private mutating func moveInRange(by step: Int) -> [Effect] {
        count = step
        let effects = moveSelection(.moveDown)
        count = nil
        return effects
    }

    /// Follows the cursor with the range, after something the person did.
    mutating func extendRange() {
        combined?.extendRange()
        guard selection.isRanging, reader == nil, let selectedIndex else { return }
        selection.extend(to: selectedIndex, in: list.rows.map(\.threadID))
    }

    /// Takes the filter typed for a selection; what is no filter is told, and stays to be mended.
    mutating func finishSelecting(_ line: Prompt) -> [Effect] {
        let effects = selectFiltered(line.text)
        if list.fault == nil { prompt = nil }
        list.fault = nil
        return effects
    }

    /// Selects what a filter would leave of the list, also of rows that are not loaded yet; what is no filter is told.
    mutating func selectFiltered(_ text: String) -> [Effect] {
        guard !AppState.words(text).isEmpty else { return [] }
        if isCombinedShown { return seekMatchesInCombined(text) }
        do {
            _ = try FilterParser.parse(text)
            return seekMatches(text)
        } catch {
            list.fault = error
            notice = TextDisplay.sanitizedLine(error.message)
            return [.bell]
        }
    }

    /// Selects what a filter means, also in rows that are not loaded yet; without a filter, all.
    mutating func seekMatches(_ filter: String) -> [Effect] {
        if isCombinedShown { return seekMatchesInCombined(filter) }
        guard !list.rows.isEmpty else { return [] }
        if list.hasMore, list.limit < ListState.most { return loadFurther(.matches(filter)) }
        return selectMatches(filter)
    }

    /// Selects all that is loaded, or asks which of it a filter means besides the list's own.
    mutating func selectMatches(_ text: String) -> [Effect] {
        guard let typed = try? FilterParser.parse(text) else {
            selection.add(list.rows.map(\.threadID))
            if list.hasMore { notice = "Only \(firstRows) were selected." }
            return []
        }
        let filter = (list.parsed.map { Filter.all([$0, typed]) } ?? typed).text
        list.selecting = filter
        // What only the server found, the cache cannot find by the list's filter.
        let found = list.serverRows.filter { row in
            typed.matches(
                FilterSubject(summary: row.shown, mailboxAddress: "", bodyText: nil, isAnswered: false), filterClock)
        }
        selection.add(found.map(\.threadID))
        return [.findMatches(scope, filter: filter, limit: ListState.most)]
    }

    /// Selects what was found of the list, unless something else was asked for since.
    mutating func takeMatches(_ place: ListScope, _ filter: String, _ threads: [ThreadID]) {
        guard place == scope, filter == list.selecting else { return }
        list.selecting = nil
        let found = Set(threads).intersection(list.rows.map(\.threadID))
        selection.add(found)
        let number = Formatting.grouped(found.count)
        if found.isEmpty {
            notice = "Nothing here fits this filter."
        } else if list.hasMore {
            notice = "\(number) of \(firstRows) were selected."
        } else {
            notice = "\(number) that fit were selected."
        }
    }

    private var firstRows: String { "the first \(Formatting.grouped(list.rows.count)) conversations" }

    /// Tells how many were selected, where that cannot be seen.
    mutating func tellMatches(_ found: Int, of rows: Int, hasMore: Bool, hasWords: Bool) {
        let number = Formatting.grouped(found)
        if hasMore {
            notice = "\(number) of the first \(Formatting.grouped(rows)) conversations were selected."
        } else if hasWords {
            notice = found == 0 ? "Nothing here has these words." : "\(number) with these words were selected."
        }
    }

    /// Selects nothing any more, since another list is shown, and says so.
    mutating func dropSelection() {
        guard !selection.isEmpty else { return }
        let count = selection.count
        selection.clear()
        guard notice == nil else { return }
        notice =
            (count == 1 ? "1 conversation is" : "\(Formatting.grouped(count)) conversations are")
            + " no longer selected: this is another list."
    }

    /// Keeps the selection a part of what the list shows.
    mutating func trimSelection() {
        guard !selection.isEmpty else { return }
        selection.keep(Set(list.rows.map(\.threadID)))
    }
}

extension ConversationRow {
    /// Whether the row has every one of the words, in small letters; of none it has all.
    func has(_ words: [Substring]) -> Bool {
        if words.isEmpty { return true }
        let text = ([shown.subject, shown.fromAddress, shown.snippet] + shown.to).joined(separator: "\n").lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}
