internal import DisplayText
internal import MailModel
internal import TerminalUI

/// The list of what waits to be sent, and of what ended without being done.
extension AppState {
    /// One line of the list.
    struct OutboxLine: Sendable, Hashable {
        var text: String
        var style = Style.plain
        /// The operation it belongs to; `nil` for headings.
        var operation: OperationID?
        /// Whether it is the first line of its operation.
        var isHead = false
    }

    var outboxLines: [OutboxLine] {
        if let failure = outbox.failure {
            return Formatting.wrapped(TextDisplay.sanitizedLine(failure), columns: max(1, size.columns - 2)).map {
                OutboxLine(text: $0)
            }
        }
        guard outbox.isLoaded || !outbox.ids.isEmpty else {
            return [OutboxLine(text: "Loading…", style: Style(dim: true))]
        }
        let whose = hasSeveralAccounts ? " in " + TextDisplay.sanitizedLine(entry?.name ?? accountLabel) : ""
        var lines: [OutboxLine] = []
        if !outbox.mail.isEmpty {
            lines.append(OutboxLine(text: "Mail" + whose, style: Style(bold: true, underline: true)))
            for entry in outbox.mail { lines += self.lines(of: entry) }
            lines.append(OutboxLine(text: ""))
            if outbox.entries.isEmpty, outbox.endings.isEmpty { return lines }
        }
        lines += [OutboxLine(text: "Waiting" + whose, style: Style(bold: true, underline: true))]
        if outbox.entries.isEmpty {
            lines.append(OutboxLine(text: "  Nothing waits to be sent.", style: Style(dim: true)))
        }
        for entry in outbox.entries { lines += self.lines(of: entry) }
        let hidden =
            outbox.counts.queued + outbox.counts.blocked + outbox.counts.unknown - outbox.counts.mails
            - outbox.entries.count
        if hidden > 0, outbox.entries.count >= AppState.outboxMax {
            lines.append(OutboxLine(text: "  and \(Formatting.grouped(hidden)) more", style: Style(dim: true)))
        }
        guard !outbox.endings.isEmpty else { return lines }
        lines.append(OutboxLine(text: ""))
        lines.append(OutboxLine(text: "Ended without being done", style: Style(bold: true, underline: true)))
        for ending in outbox.endings { lines += self.lines(of: ending) }
        return lines
    }

    private func lines(of entry: OutboxEntry) -> [OutboxLine] {
        let operation = entry.operation
        var parts = [status(of: operation), "since " + Formatting.age(age(operation.createdAt))]
        if operation.attempts > 0 {
            parts.append(operation.attempts == 1 ? "1 try" : "\(Formatting.grouped(operation.attempts)) tries")
        }
        if let next = operation.nextAttemptAt, next / 1_000 > now {
            parts.append("next in " + Formatting.age(next / 1_000 - now))
        }
        return lines(
            operation.kind, entry.subject, operation.mailbox, id: operation.id,
            detail: ([parts.joined(separator: ", ")] + [entry.reason].compactMap { $0 }).joined(separator: ": "))
    }

    private func lines(of ending: OutboxEnding) -> [OutboxLine] {
        let entry = ending.entry
        let ago = Formatting.age(age(entry.endedAt)) + " ago"
        return lines(
            entry.kind, ending.subject, entry.mailbox, id: entry.id, detail: entry.verdict.sentence + " (\(ago))")
    }

    private func lines(
        _ kind: OperationKind, _ subject: String?, _ mailbox: MailboxID?, id: OperationID, detail: String
    ) -> [OutboxLine] {
        let what = subject.map { "“\(MailDisplay.subject($0))”" } ?? "a message that is not here"
        let address = mailbox.flatMap { counts(of: $0).mailbox?.address }.map { ", " + MailDisplay.line($0) } ?? ""
        // A mark of two cells stands before each line, and what is told of an operation is set in below it.
        let told = Formatting.wrapped(MailDisplay.line(detail), columns: size.columns - 5).map {
            OutboxLine(text: "  " + $0, style: Style(dim: true), operation: id)
        }
        return [OutboxLine(text: "\(kind.title) \(what)\(address)", operation: id, isHead: true)] + told
    }

    private func age(_ moment: Timestamp) -> Int64 { max(0, now - (moment.secondsSinceEpoch ?? now)) }

    private func status(of operation: Operation) -> String {
        switch operation.status {
        case .pending: "queued"
        case .inFlight: "being sent"
        case .retrying: "to be tried again"
        case .blocked(.credentialRefused): "blocked until you have signed in again"
        case .blocked(.retriesExhausted): "blocked until you try it again or give it up"
        }
    }

    func drawOutbox(in grid: inout Grid, rect: Rect) {
        let lines = outboxLines
        let first = outboxTop(lines, rows: rect.rows)
        for (row, line) in lines.dropFirst(first).prefix(rect.rows).enumerated() {
            let isSelected = line.operation != nil && line.operation == outbox.selected
            var style = line.style
            style.reverse = isSelected
            let place = Rect(row: rect.row + row, column: rect.column, columns: rect.columns, rows: 1)
            if isSelected { grid.fill(place, style: style) }
            let mark = line.operation == nil ? " " : isSelected && line.isHead ? "> " : "  "
            grid.write(
                TextDisplay.truncated(mark + line.text, columns: rect.columns), row: place.row, column: place.column,
                style: style)
            if isSelected, line.isHead, prompt == nil { grid.cursor = Position(row: place.row, column: place.column) }
        }
        if grid.cursor == nil, prompt == nil { grid.cursor = Position(row: rect.row, column: rect.column) }
    }

    /// The first line shown: as before, as far as the selected operation is in sight.
    private func outboxTop(_ lines: [OutboxLine], rows: Int) -> Int {
        var top = max(0, min(outbox.top, lines.count - rows))
        guard let head = lines.firstIndex(where: { $0.isHead && $0.operation == outbox.selected }) else { return top }
        let end = (lines[head...].firstIndex { $0.operation != outbox.selected }) ?? lines.count
        if end > top + rows { top = end - rows }
        // The heading above the first operation comes into sight with it.
        if head <= top { top = head == 1 ? 0 : head }
        return max(0, top)
    }

    /// Moves the window so that the selected operation is in it.
    mutating func keepOutboxInView() {
        guard outbox.isOpen else { return }
        outbox.top = outboxTop(outboxLines, rows: layout.body.rows)
    }

    /// Which operation is selected, of how many.
    var outboxPositionText: String {
        let ids = outbox.ids
        guard let selected = outbox.selected, let place = ids.firstIndex(of: selected) else { return "" }
        return "\(Formatting.grouped(place + 1)) of \(Formatting.grouped(ids.count))"
    }
}

extension Verdict {
    /// What became of an operation, for people.
    var sentence: String {
        switch reason {
        case .rlsDenied: "The mailbox can no longer be read."
        case .columnDenied: "The server does not let you do this in the mailbox."
        case .constraint: "The server did not accept it."
        case .deleteWins: "The message was deleted."
        case .precondition: "The message had been changed by then."
        case .superseded: "Something done later made it pointless."
        case .permanentTransport: "The server failed time and again in a way that Herald does not know."
        case .discarded: "You gave it up."
        }
    }
}
