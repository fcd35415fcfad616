internal import DisplayText
internal import MailFilter
internal import MailModel
internal import TerminalUI

extension AppState {
    /// How the account stands with its server, and since when.
    var syncText: String {
        if isCombinedShown { return combinedSyncText }
        return accountSyncText + signInDueText
    }

    /// Who signed in six days ago is told that it ends soon: the server ends sign-ins after a week, unless the
    /// browser that approved them was used meanwhile (contract §2.7).
    private var signInDueText: String {
        let own = daysSignedIn(sync).map { " · sign-in \($0) days old, :sign-in renews it" } ?? ""
        return own + signInsDue(besides: accountLabel)
    }

    /// Which accounts' sign-ins end soon, by name; one is left out.
    func signInsDue(besides label: String? = nil) -> String {
        accounts.filter { $0.label != label }.map { entry in
            daysSignedIn(sync(of: entry.label)).map {
                " · \(TextDisplay.sanitizedLine(entry.name)): sign-in \($0) days old"
            } ?? ""
        }.joined()
    }

    /// How many days ago a sign-in was approved that ends soon; `nil` while that is not worth a word.
    private func daysSignedIn(_ sync: SyncStatus) -> Int64? {
        guard !sync.isSignedOut, let since = sync.signedInAt, now - since >= AppState.signInDueAfter else { return nil }
        return (now - since) / 86_400
    }

    /// Six days, in seconds.
    private static let signInDueAfter: Int64 = 6 * 86_400

    private var accountSyncText: String {
        if sync.isRunning {
            guard let progress = sync.progress, progress.done > 0 else { return "syncing…" }
            let done = Formatting.grouped(progress.done)
            return progress.total.map { "syncing \(done) of \(Formatting.grouped($0))…" } ?? "syncing \(done)…"
        }
        // A text that changes each second would be read out again and again.
        let age = sync.lastSynced.map { presentation.isLinear ? "synced" : "synced \(Formatting.age(now - $0)) ago" }
        let reason = sync.failure.map { TextDisplay.sanitizedLine($0) }
        let since = age.map { ", \($0)" } ?? ""
        if sync.isSignedOut, signInAgainReason == nil {
            return "signed out\(since) · :sign-in signs in again"
        }
        if sync.isOffline { return "offline" + since + (reason.map { ": \($0)" } ?? "") }
        if let reason { return "sync failed\(since): \(reason)" }
        // Before the cache has answered nothing is known.
        return age ?? (hasLoadedList || counts.count > 0 ? "not synced yet" : "")
    }

    /// How many conversations the list shows, and which one is selected.
    var positionText: String {
        if helpTop == nil, let composer = writing.composer { return composerPositionText(composer) }
        if helpTop != nil { return helpPositionText }
        if signIn != nil { return "" }
        if outbox.isOpen { return outboxPositionText }
        if isCombinedShown { return combinedPositionText }
        if openThread != nil, let text = reader?.positionText(rows: layout.readerRows) { return text }
        let count = scope.folder == .drafts ? shownDrafts.count : list.rows.count
        guard list.isLoaded else { return "" }
        guard let index = selectedIndex else { return Formatting.grouped(count) }
        guard scope.folder != .drafts, list.hasMore else {
            return "\(Formatting.grouped(index + 1)) of \(Formatting.grouped(count))"
        }
        let total = list.filter.isEmpty ? counts(of: scope.mailboxID).total[scope.folder] ?? 0 : 0
        let all = total > count ? Formatting.grouped(total) : Formatting.grouped(count) + "+"
        return "\(Formatting.grouped(index + 1)) of \(all)"
    }

    func drawStatus(in grid: inout Grid, rect: Rect) {
        if let line = writing.composer?.prompt { return drawPathPrompt(line, in: &grid, rect: rect) }
        if let line = files.prompt { return drawFilePrompt(line, in: &grid, rect: rect) }
        if let prompt {
            drawPrompt(prompt, in: &grid, rect: rect)
            return
        }
        if let linkPrompt, notice == nil {
            let (label, text) = linkPromptText(linkPrompt)
            grid.write(label, row: rect.row, column: rect.column, style: Style(bold: true))
            let start = rect.column + TextDisplay.width(of: label)
            let used = grid.write(text, row: rect.row, column: start)
            grid.cursor = Position(row: rect.row, column: min(start + used, max(0, rect.columns - 1)))
            return
        }
        // What can be taken back is told beside whatever else there is to say.
        let waits = notice == nil ? nil : countdownText
        let right = pendingText + (waits.map { " \($0) ·" } ?? "") + " \(asideText(columns: rect.columns)) "
        let room = max(0, rect.columns - TextDisplay.width(of: right))
        var left = " " + syncText
        if !shownFilter.isEmpty { left += " · filter: " + TextDisplay.sanitizedLine(shownFilter) }
        // The account gives way to how it stands.
        let name = isCombinedShown ? "all accounts" : TextDisplay.sanitizedLine(entry?.name ?? accountLabel)
        let named = " " + name + " ·" + left
        if signIn != nil { left = "" } else if TextDisplay.width(of: named) <= room { left = named }
        let others = layout.sidebar == nil && !isCombinedShown && signIn == nil ? othersText : ""
        if TextDisplay.width(of: left + others) <= room { left += others }
        if let text = bulkText, signIn == nil { left = " " + text }
        if let text = fileProgressText { left = " " + text }
        if let text = sendingText, signIn == nil { left = " " + text }
        if let notice = quitQuestionText ?? notice {
            left = " " + drawBeginning(of: TextDisplay.sanitizedLine(notice), room: room, in: &grid, rect: rect)
        }
        grid.write(
            TextDisplay.padded(left, columns: room) + right, row: rect.row, column: rect.column,
            style: Style(reverse: true), columnsMax: rect.columns)
    }

    /// What waits, how much is selected, and where the person is, as far as there is room beside the rest.
    private func asideText(columns: Int) -> String {
        let selected = selectedCount == 0 ? "" : "\(Formatting.grouped(selectedCount)) selected"
        // A sentence is read whole before what it stands beside.
        let sentence = notice.map { TextDisplay.width(of: TextDisplay.sanitizedLine($0)) + 4 } ?? 0
        let most = min(columns * 3 / 4, columns - sentence)
        let isSearch = openThread == nil && signIn == nil && helpTop == nil && !outbox.isOpen && !isCombinedShown
        for coverage in isSearch ? coverageForms : [""] {
            let parts = [outboxText, selected, coverage, positionText].filter { !$0.isEmpty }
            for start in parts.indices where coverage.isEmpty || start == 0 {
                let text = parts[start...].joined(separator: " · ")
                if TextDisplay.width(of: text) <= most { return text }
            }
        }
        return positionText
    }

    /// Draws what the status line would cut of a sentence above it, and answers the end, which fits.
    private func drawBeginning(of sentence: String, room: Int, in grid: inout Grid, rect: Rect) -> String {
        guard TextDisplay.width(of: sentence) >= room else { return sentence }
        let lines = Formatting.wrapped(sentence, columns: max(1, room - 1)).prefix(max(1, rect.row - 1))
        drawLines(lines.dropLast(), above: rect, in: &grid)
        return lines.last ?? ""
    }

    /// Draws lines of a sentence above the status line.
    private func drawLines(_ lines: ArraySlice<String>, above rect: Rect, in grid: inout Grid) {
        for (index, line) in lines.enumerated() {
            grid.write(
                TextDisplay.padded(" " + line, columns: rect.columns), row: rect.row - lines.count + index,
                column: rect.column, style: Style(reverse: true))
        }
    }

    /// The line being typed, around its cursor; a sentence about it stands at its end, or above it where it is long.
    private func drawPrompt(_ prompt: Prompt, in grid: inout Grid, rect: Rect) {
        let label = prompt.kind.label
        let start = rect.column + TextDisplay.width(of: label)
        // What is typed comes first, and is never hidden by what is said of it.
        let most = max(0, rect.columns - start - (prompt.kind == .filter ? max(12, rect.columns / 3) : 12))
        let hits = prompt.kind == .filter ? filterAside(columns: most) : ""
        var aside = notice.map { TextDisplay.sanitizedLine($0) } ?? hits
        let room = rect.columns - start - TextDisplay.width(of: prompt.text) - 3
        if notice != nil, TextDisplay.width(of: aside) > room {
            let lines = Formatting.wrapped(aside, columns: max(1, rect.columns - 2))
            drawLines(lines.prefix(max(0, rect.row - 1)), above: rect, in: &grid)
            aside = ""
        }
        let right = aside.isEmpty ? "" : " \(TextDisplay.truncated(aside, columns: most)) "
        let end = rect.column + rect.columns - TextDisplay.width(of: right)
        let window = prompt.editor.window(columns: max(2, end - start))
        grid.write(label, row: rect.row, column: rect.column, style: Style(bold: true))
        grid.write(window.text, row: rect.row, column: start, columnsMax: max(0, end - start))
        grid.write(right, row: rect.row, column: end, style: Style(dim: true))
        if let fault = filterFault {
            let column = prompt.editor.column(of: fault.column - 1, columns: max(2, end - start))
            drawFault(fault, at: column.map { start + $0 }, in: &grid, rect: rect)
        }
        grid.cursor = Position(row: rect.row, column: min(start + window.cursor, max(0, rect.columns - 1)))
    }

    /// What was typed of a count and of a key sequence.
    private var pendingText: String {
        let keys = pendingKeys.isEmpty ? "" : KeySequence(keys: pendingKeys).text
        let text = (count.map { String($0) } ?? "") + keys
        return text.isEmpty ? "" : " " + text + " "
    }

    /// The hints that fit whole, in the order of the table.
    private func hintText(columns: Int) -> String {
        let isSelecting = selectedCount > 0 && (context == .list || context == .combined)
        let title = isSelecting ? selectionTitle : ""
        let columns = columns - TextDisplay.width(of: title)
        let hinted = ActionTable.all.filter {
            (isSelecting ? AppState.selectionHints.contains($0.id) : $0.isHinted) && $0.contexts.contains(context)
                && !keyMap.keys(of: $0.id, in: context).isEmpty
        }
        .filter { isOffered($0.id) }
        let texts = hinted.map { "\(keyMap.keys(of: $0.id, in: context).first?.text ?? "") \(triageName($0))" }
        var room = columns
        var fits = Set<Int>()
        // The ways to help and out come first, and what the sidebar shows anyway comes last.
        let ranks: [ActionID: Int] = [.help: 0, .quit: 1, .nextFolder: 3]
        let order = hinted.indices.sorted { (ranks[hinted[$0].id] ?? 2, $0) < (ranks[hinted[$1].id] ?? 2, $1) }
        for index in order {
            let width = TextDisplay.width(of: texts[index]) + (fits.isEmpty ? 0 : 2)
            guard width <= room else { break }
            room -= width
            fits.insert(index)
        }
        return title + texts.indices.filter { fits.contains($0) }.map { texts[$0] }.joined(separator: "  ")
    }

    /// Whether an action can be done to the list's line; of a selection and in the reader that is not asked.
    private func mayActOnLine(_ id: ActionID) -> Bool {
        context != .list || selectedCount > 0 || triageReason(id) == nil
    }

    /// Whether a hint would lead somewhere here; what can be told without looking at all that is selected.
    private func isOffered(_ id: ActionID) -> Bool {
        switch id {
        case .attachments: attachmentsReason == nil
        case .openLink: !linksActedOn.isEmpty
        case .detach: reviewReason(.detach) == nil
        case .retry, .drop: outboxReason(id) == nil
        case .open: context != .list || list.selected != nil
        case .archive: context == .combined || scope.folder != .drafts && mayActOnLine(id)
        case .trash: context == .combined || (scope.folder == .drafts ? selectedDraft != nil : mayActOnLine(id))
        case .reply, .replyAll, .forward: context == .combined || writingSubject != nil
        case .nextUnread: context != .list || hasUnread || nextUnreadPlace != nil || hasUnloadedUnread
        case .toggleFold: selectedDraft == nil
        default: true
        }
    }

    /// What is done to a selection.
    private static let selectionHints: Set<ActionID> = [
        .archive, .trash, .toggleStar, .toggleRead, .clearSelection, .help,
    ]

    private var selectionTitle: String {
        selectedCount == 1 ? "1 conversation: " : "\(Formatting.grouped(selectedCount)) conversations: "
    }

    /// As many hints as have room, the first ones first.
    private func fitting(_ hints: [String], columns: Int) -> String {
        hints.reduce("") { line, hint in
            let longer = line.isEmpty ? hint : line + "  " + hint
            return TextDisplay.width(of: longer) < columns ? longer : line
        }
    }

    func drawHints(in grid: inout Grid, rect: Rect) {
        let keys = whichKeys
        var text = ""
        if let signIn, prompt == nil, helpTop == nil {
            text = fitting(signInHints(signIn), columns: rect.columns)
        } else if writing.asksAtQuit {
            text = "Esc goes back to Herald"
        } else if let line = writing.composer?.prompt {
            text = pathPromptHints(line)
        } else if let composer = writing.composer, composer.step != .review || composer.isPreview, prompt == nil,
            helpTop == nil
        {
            text = fitting(formHints(composer), columns: rect.columns)
        } else if let line = files.prompt {
            text = filePromptHints(line)
        } else if filterFault != nil {
            // The mark below the filter has the line.
            return
        } else if let prompt {
            text = fitting(prompt.kind.hints, columns: rect.columns)
        } else if let linkPrompt {
            text = linkPromptHints(linkPrompt)
        } else if keys.isEmpty {
            text = hintText(columns: rect.columns - 1)
        } else if fitsOneLine(keys, columns: rect.columns - 2) {
            text = keys.joined(separator: "  ")
        } else {
            text = "Esc leave"
        }
        let line = TextDisplay.truncated(text, columns: max(0, rect.columns - 1))
        grid.write(line, row: rect.row, column: rect.column + 1, style: Style(dim: true))
        drawCountdownBesideHints(in: &grid, rect: rect)
    }

    /// Where a line is typed on the status line, the time left to take mail back stands below it.
    private func drawCountdownBesideHints(in grid: inout Grid, rect: Rect) {
        let isTyping = prompt != nil || files.prompt != nil || writing.composer?.prompt != nil || linkPrompt != nil
        guard isTyping, signIn == nil, let text = countdownText.map({ " \($0) " }) else { return }
        let column = rect.column + max(0, rect.columns - TextDisplay.width(of: text))
        grid.write(text, row: rect.row, column: column, style: Style(reverse: true))
    }
}
