internal import DisplayText
internal import MailCompose
internal import MailModel
internal import TerminalUI

/// A mail as it is looked at before it is sent.
extension AppState {
    func drawReview(_ composer: Composer, in grid: inout Grid, body: Rect) {
        if composer.isPreview {
            for (row, line) in composer.laidOut.lines.dropFirst(composer.top).prefix(body.rows).enumerated() {
                grid.write(line.text, row: body.row + row, column: body.column + 1, style: line.style)
            }
            grid.cursor = Position(row: body.row, column: body.column)
            return
        }
        var row = body.row
        for field in reviewFields(composer, rows: body.rows) {
            drawField(field.label, field.text, in: &grid, row: row, body: body, style: field.style)
            row += 1
        }
        for (index, file) in composer.files.prefix(reviewFileRows(body.rows)).enumerated() {
            let isSelected = index == composer.selectedFile
            let style = Style(reverse: isSelected)
            drawField(index == 0 ? "Files" : "", "", in: &grid, row: row, body: body)
            let text = (isSelected ? "> " : "  ") + fileText(file)
            grid.write(
                TextDisplay.truncated(text, columns: max(0, body.columns - Composer.Field.labelColumns)), row: row,
                column: body.column + Composer.Field.labelColumns - 2, style: style)
            if isSelected, prompt == nil {
                grid.cursor = Position(row: row, column: body.column + Composer.Field.labelColumns - 2)
            }
            row += 1
        }
        if composer.files.isEmpty || grid.cursor == nil, prompt == nil {
            grid.cursor = Position(row: body.row, column: body.column)
        }
        drawSeparator(composer, in: &grid, row: row, body: body)
        row += 1
        for line in composer.laidOut.lines.dropFirst(composer.top).prefix(max(0, body.row + body.rows - row)) {
            grid.write(line.text, row: row, column: body.column, style: line.style, columnsMax: body.columns)
            row += 1
        }
    }

    private struct ReviewField {
        var label: String
        var text: String
        var style = Style.plain
    }

    private func reviewFields(_ composer: Composer, rows: Int) -> [ReviewField] {
        var fields = [
            ReviewField(label: "From", text: composer.from.isEmpty ? "no address" : composer.from),
            ReviewField(label: "To", text: composer.text(of: .to).isEmpty ? "nobody yet" : composer.text(of: .to)),
        ]
        for field in [Composer.Field.cc, .bcc] where !composer.text(of: field).isEmpty {
            fields.append(ReviewField(label: field.label, text: composer.text(of: field)))
        }
        fields.append(
            ReviewField(
                label: "Subject", text: composer.shownSubject.isEmpty ? "none" : composer.shownSubject,
                style: Style(bold: true)))
        if case .forward(_, let withFiles) = composer.origin, composer.original?.summary.hasAttachments == true {
            let text = withFiles ? "those of the original go with it" : "without those of the original"
            fields.append(
                ReviewField(
                    label: "Files", text: text + " (\(keyText(.originals) ?? ":originals"))", style: Style(dim: true)))
        }
        if composer.mode != .auto {
            fields.append(ReviewField(label: "Merging", text: composer.mode.rawValue, style: Style(dim: true)))
        }
        return Array(fields.prefix(max(3, rows - 2)))
    }

    private func reviewFileRows(_ rows: Int) -> Int { max(1, rows / 3) }

    /// Lays the text out again where something of it changed since.
    mutating func layOutReview() {
        guard let composer = writing.composer, composer.step == .review else { return }
        let key = ReviewLayout.Key(
            changes: composer.changes, revision: composer.editor.revision, columns: layout.body.columns,
            isPreview: composer.isPreview, origin: composer.origin, files: composer.files)
        guard composer.laidOut.key != key else { return }
        let lines = composer.isPreview ? previewLines(composer) : reviewLines(composer)
        writing.composer?.laidOut = ReviewLayout(key: key, lines: lines)
    }

    /// The rows of a line; each row of a quote begins with the signs that mark it.
    static func rows(ofQuoted line: String, columns: Int) -> [String] {
        let clean = TextDisplay.sanitizedLine(line)
        let marks = clean.prefix { $0 == ">" || $0 == " " }
        let isQuote = marks.contains(">") && marks.count * 2 < columns
        let parts = TextDisplay.wrapped(
            isQuote ? String(clean[marks.endIndex...]) : clean, columns: columns - (isQuote ? marks.count : 0))
        return (parts.isEmpty ? [""] : parts).map { isQuote ? marks + $0 : $0 }
    }

    /// The text, and below it what the server adds.
    private func reviewLines(_ composer: Composer) -> [ReviewLine] {
        let columns = max(1, layout.body.columns - 1)
        var lines = composer.editor.lines.flatMap { line in
            AppState.rows(ofQuoted: line.text, columns: columns).map { ReviewLine(text: $0) }
        }
        guard !composer.context.isEmpty else { return lines }
        lines.append(ReviewLine(text: ""))
        let words = composer.hasFixedSubject ? "· The server quotes this below." : "· This is passed on below."
        lines.append(ReviewLine(text: words, style: Style(dim: true, italic: true)))
        lines += composer.context.flatMap { line in
            AppState.rows(ofQuoted: line, columns: columns).map { ReviewLine(text: $0, style: Style(dim: true)) }
        }
        return lines
    }

    /// The mail as its recipients read it.
    private func previewLines(_ composer: Composer) -> [ReviewLine] {
        var draft = Draft(
            id: DraftID(""), mailboxID: nil, replyToMessageID: nil, forwardOfMessageID: nil, from: composer.from,
            to: AddressList(composer.text(of: .to)).addresses, cc: AddressList(composer.text(of: .cc)).addresses,
            bcc: AddressList(composer.text(of: .bcc)).addresses, subject: composer.shownSubject,
            text: WebText.trimmed(composer.editor.text), html: "", version: 0,
            updatedAt: Timestamp(millisecondsSinceEpoch: now * 1_000), attachments: [])
        if !composer.context.isEmpty { draft.text += (draft.text.isEmpty ? "" : "\n\n") + composer.contextText }
        draft.attachments = composer.files.map {
            DraftAttachment(
                id: AttachmentID(""), filename: $0.filename, contentType: $0.contentType, sizeBytes: $0.sizeBytes)
        }
        return ReaderContent.of(draft, columns: max(1, layout.body.columns - 2)).lines.map { line in
            ReviewLine(
                text: line.pieces.map(\.text).joined(), style: line.pieces.count == 1 ? line.pieces[0].style : .plain)
        }
    }

    /// How many rows the review's text has room for, and how many it has.
    var reviewExtent: (rows: Int, lines: Int) {
        guard let composer = writing.composer else { return (1, 1) }
        let rows = layout.body.rows
        if composer.isPreview { return (rows, composer.laidOut.lines.count) }
        let head = reviewFields(composer, rows: rows).count + min(composer.files.count, reviewFileRows(rows)) + 1
        return (max(1, rows - head), composer.laidOut.lines.count)
    }

    /// Goes to the field or file that was clicked.
    mutating func pressReview(at place: Position, _ composer: Composer) -> [Effect] {
        guard !composer.isPreview else { return [] }
        let row = place.row - layout.body.row
        let fields = reviewFields(composer, rows: layout.body.rows)
        if fields.indices.contains(row) {
            let actions: [String: ActionID] = [
                "From": .editFrom, "To": .editTo, "Cc": .editCc, "Bcc": .editBcc, "Subject": .editSubject,
            ]
            return actions[fields[row].label].map { perform(Invocation($0)) } ?? []
        }
        let file = row - fields.count
        if composer.files.indices.contains(file) { writing.composer?.selectedFile = file }
        return []
    }
}

/// A line of the review's text.
struct ReviewLine: Sendable, Hashable {
    var text: String
    var style = Style.plain
}

/// The text of a review, laid out once for what it shows.
struct ReviewLayout: Sendable, Hashable {
    /// All that the lines are made of.
    struct Key: Sendable, Hashable {
        var changes: Int
        var revision: Int
        var columns: Int
        var isPreview: Bool
        var origin: DraftOrigin
        var files: [DraftFile]
    }

    var key: Key?
    var lines: [ReviewLine] = []
}
