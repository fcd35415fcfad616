internal import DisplayText
internal import MailFilter
internal import MailModel

/// Selecting and filtering in the inbox of all accounts.
extension AppState {
    /// The actions on the selection; `nil` for all others.
    mutating func performCombinedSelection(_ id: ActionID) -> [Effect]? {
        guard let list = combined else { return nil }
        switch id {
        case .select:
            if let selected = list.selected { combined?.selection.toggle(selected) }
        case .selectDown: return toggleAndGoOn()
        case .selectRange:
            guard !list.selection.isRanging else {
                combined?.selection.endRange()
                return []
            }
            if let selected = list.selected { combined?.selection.beginRange(at: selected) }
            guard let times = count, times > 1 else { return [] }
            count = times - 1
            defer { count = nil }
            return moveInCombined(.moveDown)
        case .selectAll: return seekMatchesInCombined("")
        case .selectMatching: prompt = Prompt(.select)
        case .invertSelection: combined?.selection.invert(in: list.rows.map(\.id))
        case .clearSelection: combined?.selection.clear()
        default: return nil
        }
        return []
    }

    private mutating func toggleAndGoOn() -> [Effect] {
        let times = min(max(1, count ?? 1), combined?.rows.count ?? 0)
        count = nil
        var effects: [Effect] = []
        for _ in 0..<times {
            guard let selected = combined?.selected else { break }
            combined?.selection.toggle(selected)
            effects += moveInCombined(.moveDown)
            if combined?.selected == selected { break }
        }
        return effects
    }

    /// Selects what has the words, also in rows that are not loaded yet; without words, all.
    mutating func seekMatchesInCombined(_ words: String) -> [Effect] {
        guard let list = combined, !list.rows.isEmpty else { return [] }
        guard list.hasMore, list.limit < ListState.most else {
            selectMatchesInCombined(words)
            return []
        }
        combined?.seek = words
        combined?.limit = ListState.most
        return loadCombined()
    }

    /// Selects what has the words, of the rows that are loaded.
    mutating func selectMatchesInCombined(_ text: String) {
        combined?.seek = nil
        guard let list = combined else { return }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        let found = list.rows.filter { $0.row.has(words) }
        combined?.selection.add(found.map(\.id))
        tellMatches(found.count, of: list.rows.count, hasMore: list.hasMore, hasWords: !words.isEmpty)
    }

    /// Shows of all accounts only what the filter means; an empty text shows all again.
    ///
    /// What is no filter changes nothing: somebody may be in the middle of typing it.
    mutating func setCombinedFilter(_ text: String) -> [Effect] {
        let words = AppState.words(text)
        combined?.fault = nil
        list.isFaultTold = false
        guard words != combined?.filter else { return [] }
        var parsed: Filter?
        if !words.isEmpty {
            do {
                parsed = try FilterParser.parse(text)
            } catch {
                combined?.fault = error
                return []
            }
        }
        combined?.filter = words
        combined?.parsed = parsed
        combined?.search = CombinedSearch()
        combined?.limit = ListState.step
        combined?.offset = 0
        combined?.seek = nil
        return loadCombined()
    }

    /// The filter of the list shown.
    var shownFilter: String { isCombinedShown ? combined?.filter ?? "" : list.filter }

    /// Why what is typed is no filter, for the list shown.
    var typedFault: FilterError? {
        get { isCombinedShown ? combined?.fault : list.fault }
        set { if isCombinedShown { combined?.fault = newValue } else { list.fault = newValue } }
    }

    /// How many conversations of the list shown are selected.
    var selectedCount: Int { isCombinedShown ? combined?.selection.count ?? 0 : selection.count }
}
