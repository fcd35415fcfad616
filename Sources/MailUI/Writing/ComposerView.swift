internal import DisplayText
internal import MailCompose
internal import MailModel
internal import TerminalUI

/// Where the parts of the form are.
struct FormLayout: Sendable, Hashable {
    /// The row of each field that is shown.
    var fields: [Composer.Field: Int] = [:]
    /// The row that stands for all fields where there is little room.
    var summary: Int?
    var files: Int?
    var separator: Int
    var text: Rect

    /// In a lower pane the fields make room for the text while that is typed.
    private static let rowsForAll = 13

    init(_ body: Rect, focus: Composer.Field, hasFiles: Bool) {
        var row = body.row
        if body.rows < FormLayout.rowsForAll, focus == .text {
            summary = row
            row += 1
        } else {
            for field in Composer.Field.allCases where field != .text {
                fields[field] = row
                row += 1
            }
        }
        if hasFiles, summary == nil {
            files = row
            row += 1
        }
        separator = row
        row += 1
        text = Rect(row: row, column: body.column, columns: body.columns, rows: max(0, body.row + body.rows - row))
    }
}

/// The form in which a mail is written.
extension AppState {
    var formLayout: FormLayout {
        FormLayout(
            layout.body, focus: writing.composer?.focus ?? .text,
            hasFiles: writing.composer?.files.isEmpty == false)
    }

    /// Gives the editor the size that it is drawn in.
    mutating func sizeEditor() {
        guard writing.composer?.step == .form else { return }
        let rect = formLayout.text
        writing.composer?.editor.resize(to: Size(columns: max(2, rect.columns), rows: max(1, rect.rows)))
    }

    func drawComposer(_ composer: Composer, in grid: inout Grid, body: Rect) {
        switch composer.step {
        case .review: drawReview(composer, in: &grid, body: body)
        case .conflict: drawConflict(composer, in: &grid, body: body)
        case .form:
            let layout = formLayout
            if let row = layout.summary { drawSummary(composer, in: &grid, row: row, body: body) }
            for (field, row) in layout.fields { draw(field, of: composer, in: &grid, row: row, body: body) }
            if let row = layout.files {
                let text = composer.files.map(fileText).joined(separator: ", ")
                drawField("Files", text, in: &grid, row: row, body: body, style: Style(dim: true))
            }
            drawSeparator(composer, in: &grid, row: layout.separator, body: body)
            if let picker = composer.picker {
                drawPicker(picker, in: &grid, rect: layout.text)
            } else {
                drawText(composer, in: &grid, rect: layout.text)
            }
            drawAddressMenu(composer, layout, in: &grid, body: body)
        }
    }

    private func drawSummary(_ composer: Composer, in grid: inout Grid, row: Int, body: Rect) {
        let to = AddressList(composer.text(of: .to)).parts.map { $0.address ?? $0.text }
        var parts = ["To " + (to.first ?? "nobody yet") + (to.count > 1 ? " +\(to.count - 1)" : "")]
        // Who gets a copy is told before what it is about: an answer to all must not look like one to a single person.
        for field in [Composer.Field.cc, .bcc] {
            let count = AddressList(composer.text(of: field)).parts.count
            if count > 0 { parts.append("\(field.label) \(count)") }
        }
        let line = TextDisplay.sanitizedLine(" " + (parts + [composer.shownSubject]).joined(separator: " · "))
        grid.write(
            TextDisplay.truncated(line, columns: body.columns), row: row, column: body.column, style: Style(bold: true))
    }

    func drawField(
        _ label: String, _ text: String, in grid: inout Grid, row: Int, body: Rect, style: Style = .plain
    ) {
        grid.write(" " + label, row: row, column: body.column, style: Style(dim: true))
        let start = body.column + Composer.Field.labelColumns
        let line = TextDisplay.truncated(
            TextDisplay.sanitizedLine(text), columns: max(0, body.columns - Composer.Field.labelColumns))
        grid.write(line, row: row, column: start, style: style)
    }

    private func draw(_ field: Composer.Field, of composer: Composer, in grid: inout Grid, row: Int, body: Rect) {
        let isFocused = composer.focus == field
        let columns = max(2, body.columns - Composer.Field.labelColumns)
        let start = body.column + Composer.Field.labelColumns
        guard let line = composer.fields[field], !(field == .subject && composer.hasFixedSubject) else {
            let others = field == .from && senders.count > 1 && isFocused ? "   ← → choose another" : ""
            let text = field == .from ? (composer.from.isEmpty ? "no address" : composer.from) : composer.shownSubject
            drawField(field.label, text + others, in: &grid, row: row, body: body, style: Style(dim: field == .subject))
            if isFocused { markFocus(field, in: &grid, row: row, column: body.column) }
            if isFocused { grid.cursor = Position(row: row, column: start) }
            return
        }
        grid.write(" " + field.label, row: row, column: body.column, style: Style(dim: !isFocused))
        if isFocused { markFocus(field, in: &grid, row: row, column: body.column) }
        guard isFocused else {
            let text = TextDisplay.truncated(TextDisplay.sanitizedLine(line.text), columns: columns)
            grid.write(text, row: row, column: start)
            return
        }
        let window = line.window(columns: columns)
        grid.write(window.text, row: row, column: start, columnsMax: columns)
        if prompt == nil {
            grid.cursor = Position(row: row, column: min(start + window.cursor, body.column + body.columns - 1))
        }
    }

    private func markFocus(_ field: Composer.Field, in grid: inout Grid, row: Int, column: Int) {
        grid.write(">" + field.label, row: row, column: column, style: Style(bold: true))
    }

    /// A line between fields and text that tells whether all is saved.
    func drawSeparator(_ composer: Composer, in grid: inout Grid, row: Int, body: Rect) {
        let state = " \(savingText(composer)) "
        if !presentation.isLinear {
            grid.write(
                String(repeating: "─", count: body.columns), row: row, column: body.column, style: Style(dim: true))
        }
        let column = body.column + max(0, body.columns - TextDisplay.width(of: state) - 2)
        grid.write(
            state, row: row, column: column, style: Style(bold: composer.failure != nil, dim: composer.failure == nil))
        grid.write(
            " \(composer.title) ", row: row, column: body.column + 2, columnsMax: max(0, column - body.column - 2))
    }

    /// Whether what is typed is on the disk and with the server.
    func savingText(_ composer: Composer) -> String {
        if composer.failure != nil { return "NOT SAVED" }
        if composer.draft == nil { return composer.isDirty ? "not saved yet" : "new" }
        if composer.isDirty { return "saving…" }
        if composer.draft?.theirs != nil { return "changed elsewhere" }
        switch composer.draft?.state {
        case .blocked(.conflictUnresolved)?: return "changed elsewhere"
        case .blocked?: return "saved here, not on the server"
        default: return composer.draft?.isUnsaved == true ? "saved here" : "saved"
        }
    }

    private func drawText(_ composer: Composer, in grid: inout Grid, rect: Rect) {
        let (rows, cursor) = composer.editor.window
        for (index, row) in rows.prefix(rect.rows).enumerated() {
            grid.write(row.text, row: rect.row + index, column: rect.column, columnsMax: rect.columns)
            if !row.selected.isEmpty {
                let selected = Rect(
                    row: rect.row + index, column: rect.column + row.selected.lowerBound, columns: row.selected.count,
                    rows: 1)
                grid.putStyle(selected) { $0.reverse = true }
            }
        }
        if composer.focus == .text, prompt == nil {
            grid.cursor = Position(
                row: rect.row + cursor.row, column: min(rect.column + cursor.column, rect.column + rect.columns - 1))
        }
        drawContext(composer, in: &grid, rect: rect, from: rows.count + 1)
    }

    /// What the server adds below the text, as far as there is room.
    private func drawContext(_ composer: Composer, in grid: inout Grid, rect: Rect, from first: Int) {
        guard rect.rows - first >= 2, composer.original != nil else { return }
        var row = first
        let words =
            composer.hasFixedSubject
            ? "The server quotes this below; C-o takes lines of it" : "Passed on with it; C-o takes lines of it"
        grid.write(
            "· \(words)", row: rect.row + row, column: rect.column, style: Style(dim: true, italic: true),
            columnsMax: rect.columns)
        row += 1
        for line in composer.context {
            for part in AppState.rows(ofQuoted: line, columns: rect.columns) {
                guard row < rect.rows else { return }
                grid.write(part, row: rect.row + row, column: rect.column, style: Style(dim: true))
                row += 1
            }
        }
    }

    private func drawPicker(_ picker: QuotePicker, in grid: inout Grid, rect: Rect) {
        for row in 0..<rect.rows {
            let index = picker.top + row
            guard picker.lines.indices.contains(index) else { break }
            let isChosen = picker.chosen.contains(index)
            let text = (index == picker.selected ? "> " : "  ") + TextDisplay.sanitizedLine(picker.lines[index])
            let style = Style(dim: !isChosen, reverse: isChosen)
            let line = Rect(row: rect.row + row, column: rect.column, columns: rect.columns, rows: 1)
            if isChosen { grid.fill(line, style: style) }
            grid.write(
                TextDisplay.truncated(text, columns: rect.columns), row: line.row, column: line.column, style: style)
            if index == picker.selected { grid.cursor = Position(row: line.row, column: line.column) }
        }
    }

    /// Addresses that fit, below their field.
    private func drawAddressMenu(_ composer: Composer, _ layout: FormLayout, in grid: inout Grid, body: Rect) {
        guard !composer.menu.items.isEmpty, let row = layout.fields[composer.focus] else { return }
        let start = body.column + Composer.Field.labelColumns - 1
        let width = min(
            body.columns - Composer.Field.labelColumns + 1,
            (composer.menu.items.map { TextDisplay.width(of: $0.title) }.max() ?? 0) + 4)
        for (index, item) in composer.menu.items.enumerated() where row + 1 + index < body.row + body.rows {
            let isSelected = composer.menu.selected == index
            let style = Style(reverse: isSelected)
            let line = Rect(row: row + 1 + index, column: start, columns: width, rows: 1)
            grid.fill(line, style: style)
            let text = TextDisplay.truncated((isSelected ? "> " : "│ ") + item.title, columns: width)
            grid.write(text, row: line.row, column: line.column, style: style)
        }
    }

    /// How far an upload is, and how fast.
    private func uploadText(_ file: DraftFile) -> String {
        guard let progress = writing.uploads[file.id], progress.total > 0 else { return "uploading" }
        let elapsed = max(1, progress.at - progress.since)
        let speed = Int64(progress.sent) * 1_000 / elapsed
        return "uploading \(progress.sent * 100 / progress.total) %, \(Formatting.bytes(Int(speed)))/s, d ends it"
    }

    /// A file with its size and how far it is.
    func fileText(_ file: DraftFile) -> String {
        let name = TextDisplay.sanitizedLine(file.filename)
        let size = Formatting.bytes(file.sizeBytes)
        return switch file.state {
        case .waiting: "\(name) (\(size))"
        case .inFlight: "\(name) (\(size), \(uploadText(file)))"
        case .retrying: "\(name) (\(size), to be uploaded again)"
        case .refused: "\(name) (\(size), refused)"
        case .done: "\(name) (\(size), uploaded)"
        }
    }

    /// Goes to the field or place that was clicked.
    mutating func pressComposer(at place: Position) -> [Effect] {
        guard let composer = writing.composer, composer.prompt == nil, prompt == nil else { return [] }
        notice = nil
        if composer.step == .review { return pressReview(at: place, composer) }
        if composer.picker != nil { return [] }
        let layout = formLayout
        if layout.text.contains(place) {
            writing.composer?.focus = .text
            writing.composer?.closeMenu()
            writing.composer?.editor.clearSelection()
            let spot = composer.editor.place(
                at: Position(row: place.row - layout.text.row, column: place.column - layout.text.column))
            writing.composer?.editor.move(to: spot)
        } else if let field = layout.fields.first(where: { $0.value == place.row })?.key {
            let skips = field == .subject && composer.hasFixedSubject
            if !skips { writing.composer?.focus = field }
            writing.composer?.closeMenu()
        }
        return []
    }
}
