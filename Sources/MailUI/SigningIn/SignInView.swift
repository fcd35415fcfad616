internal import DisplayText
internal import TerminalUI

/// A line of the screen for signing in.
struct SignInLine: Sendable, Hashable {
    var text = ""
    var style = Style.plain
    /// The address that the line opens.
    var link: String?
    /// Whether the line may go where there is little room.
    var isSpare: Bool { text.isEmpty }
}

extension AppState {
    func drawSignIn(_ state: SignInState, in grid: inout Grid, body: Rect) {
        let columns = max(1, body.columns - 4)
        var lines = signInLines(state, columns: columns, rows: body.rows)
        if lines.count > body.rows { lines.removeAll(where: \.isSpare) }
        let top = body.row + max(0, min(3, (body.rows - lines.count) / 2))
        for (row, line) in lines.prefix(body.rows).enumerated() {
            grid.write(
                line.text, row: top + row, column: body.column + 2, style: line.style, columnsMax: columns,
                link: line.link)
        }
        guard state.isTyping else { return }
        let row = min(top + lines.count, body.row + body.rows - 1)
        let window = state.editor.window(columns: max(2, columns - 2))
        grid.write("> ", row: row, column: body.column + 2, style: Style(bold: true))
        grid.write(window.text, row: row, column: body.column + 4, columnsMax: max(1, columns - 2))
        grid.cursor = Position(row: row, column: min(body.column + 4 + window.cursor, max(0, body.columns - 1)))
    }

    private func signInLines(_ state: SignInState, columns: Int, rows: Int) -> [SignInLine] {
        let title = SignInLine(text: signInTitle(state), style: Style(bold: true))
        let rest: [SignInLine] =
            switch state.step {
            case .welcome: AppState.welcomeLines(columns)
            case .address:
                AppState.sentences(
                    [
                        "Type the address of your mail server, such as mail.example.com, and press Enter.",
                        "Your password is typed in a browser only; Herald never sees it.",
                    ], columns)
            case .name(let taken):
                AppState.sentences(
                    [
                        "An account called “\(TextDisplay.sanitizedLine(taken))” is here already. Type a name for "
                            + "another one on the same server, or that name to sign in to it again."
                    ], columns)
            case .asking: AppState.sentences(["Asking the server…"], columns)
            case .waiting(let code, let endsAt): waitingLines(code, endsAt: endsAt, columns: columns, rows: rows)
            case .anotherPerson: AppState.sentences(AppState.anotherSentences, columns)
            case .failed(let sentence):
                AppState.sentences([TextDisplay.sanitizedLine(sentence), "Enter tries again."], columns)
            }
        return [title, SignInLine()] + rest
    }

    private func signInTitle(_ state: SignInState) -> String {
        if state.step == .welcome { return "Welcome to Herald" }
        guard let label = state.account else { return "Sign in" }
        return "Sign in to " + TextDisplay.sanitizedLine(entry(of: label)?.name ?? label)
    }

    private static func welcomeLines(_ columns: Int) -> [SignInLine] {
        sentences(
            [
                "Herald reads mail that lives on an HQBase server. No account is set up here yet."
            ], columns)
            + [
                ("Enter", "sign in to your server"), ("d", "look around in a demo, without an account"),
                ("?", "help, and : for commands"), ("q", "leave"),
            ].flatMap { key, text in
                Formatting.wrapped(text, columns: columns - 7).enumerated().map { number, part in
                    SignInLine(text: TextDisplay.padded(number == 0 ? key : "", columns: 7) + part)
                }
            }
    }

    private static let anotherSentences = [
        "This sign-in sees other mailboxes, or there were none; somebody else may have signed in.",
        "a: another person. The mail here is set aside, and what waits to be sent stays unsent.",
        "s: the same person with other mailboxes. Everything stays.",
        "Esc: neither. Nothing is changed.",
    ]

    /// Sentences with a blank line behind each.
    private static func sentences(_ texts: [String], _ columns: Int) -> [SignInLine] {
        texts.flatMap { text in
            Formatting.wrapped(text, columns: columns).map { SignInLine(text: $0) } + [SignInLine()]
        }
    }

    private func waitingLines(_ code: SignInCode, endsAt: Int64, columns: Int, rows: Int) -> [SignInLine] {
        let address = TextDisplay.sanitizedLine(code.address)
        let left = max(0, endsAt - now)
        let clock = "\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60)"
        // A text that changes each second would be read out again and again.
        let waiting =
            presentation.isLinear
            ? "Waiting for the code to be approved." : "Waiting for the code to be approved; \(clock) left."
        return Formatting.wrapped("Open this address in a browser, here or on another device:", columns: columns).map {
            SignInLine(text: $0)
        }
            + AppState.pieces(address, columns: columns).map {
                SignInLine(text: $0, style: Style(bold: true, underline: true), link: code.addressWithCode)
            }
            + [SignInLine(), SignInLine(text: "and type this code:"), SignInLine()]
            + codeLines(code.halves, columns: columns, rows: rows)
            + [SignInLine()] + Formatting.wrapped(waiting, columns: columns).map { SignInLine(text: $0) }
    }

    /// The code, drawn large where there is room.
    private func codeLines(_ code: String, columns: Int, rows: Int) -> [SignInLine] {
        let shown = TextDisplay.sanitizedLine(code)
        let plain = SignInLine(text: shown.map(String.init).joined(separator: " "), style: Style(bold: true))
        let large = LargeLetters.rows(shown)
        guard !presentation.isLinear, rows >= 16, let width = large.first?.count, width <= columns else {
            return [plain]
        }
        return large.map { SignInLine(text: $0) } + [SignInLine(), plain]
    }

    /// A text without blanks in pieces that fit.
    private static func pieces(_ text: String, columns: Int) -> [String] {
        var pieces: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            pieces.append(String(rest.prefix(columns)))
            rest = rest.dropFirst(columns)
        }
        return pieces
    }

    /// What keys do while somebody signs in, for the help.
    static let signInKeys: [(keys: String, help: String)] = [
        ("Enter", "Go on, or try again; with a code, open its address in a browser."),
        ("o", "Open the address of the code in a browser, where there is one."),
        ("y", "Copy the address, with the code in it, through the terminal."),
        ("c", "Copy the code."), ("Esc", "One step back; nothing is changed."),
        ("d", "On the first screen: look around in a demo."), ("q", "On the first screen: leave Herald."),
    ]

    /// What keys do on the screen for signing in.
    func signInHints(_ state: SignInState) -> [String] {
        switch state.step {
        case .welcome: ["Enter sign in", "d demo", "? help", "q quit"]
        case .address, .name: ["Enter go on", "Esc back"]
        case .asking: ["Esc cancel"]
        case .waiting: ["o open in a browser", "y copy the address", "c copy the code", "Esc cancel"]
        case .anotherPerson: ["a another", "s same person", "Esc neither"]
        case .failed: ["Enter again", "Esc back"]
        }
    }
}
