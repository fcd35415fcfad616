import DisplayText
import TerminalUI
import Testing

@testable import MailUI

/// Signing in on the screen: keys in, screens and effects out.
struct SigningInTests {
    static let code = SignInCode(
        code: "K7QW2MHX", address: "https://mail.example.com/device",
        addressWithCode: "https://mail.example.com/device?user_code=K7QW2MHX", secondsLeft: 900)

    static func welcome(columns: Int = 80, rows: Int = 24) -> AppState {
        var state = AppState(size: Size(columns: columns, rows: rows), accountLabel: "")
        state.canAddAccounts = true
        state.welcome()
        return state
    }

    private static func type(_ text: String, _ state: inout AppState) -> [Effect] {
        state.press(text) + state.update(.input(.plain(.enter)))
    }

    /// Fails when the first start shows anything that cannot be read, or cannot be left.
    @Test(arguments: ScreenTests.sizes) func `the way from the first screen to the mail`(columns: Int, rows: Int) {
        var state = Self.welcome(columns: columns, rows: rows)
        #expect(state.screen.contains("Welcome to Herald"))
        #expect(state.screen.contains("Enter  sign in"))
        _ = state.update(.input(.plain(.enter)))
        #expect(state.draw().cursor != nil)
        let effects = Self.type("mail.example.com", &state)
        #expect(effects == [.beginSignIn(SignInRequest(address: "mail.example.com", attempt: 1))])
        _ = state.update(.signIn(.code(Self.code), attempt: 1))
        let screen = state.screen
        #expect(screen.contains("K 7 Q W - 2 M H X"), "\(screen)")
        #expect(screen.contains("15:00"), "\(screen)")
        #expect(screen.contains("https://mail.example.com/device"), "\(screen)")
        #expect(screen.contains("█") == (columns >= 60 && rows >= 20))
        let grid = state.draw()
        for row in 0..<rows { #expect(TextDisplay.width(of: grid.rowText(row)) == columns) }
        #expect(grid.links.values.contains(Self.code.addressWithCode))
        #expect(state.press("o") == [.openAddress(Self.code.addressWithCode)])
        #expect(state.press("y") == [.copy(Self.code.addressWithCode)])
        #expect(state.press("c") == [.copy("K7QW-2MHX")])
        _ = state.update(.clock(secondsSinceEpoch: 61, utcOffsetSeconds: 0))
        #expect(state.screen.contains("13:59"))

        _ = state.update(.accounts([AccountEntry(label: "mail", name: "mail", color: .cyan)], shown: "mail"))
        _ = state.update(.signIn(.done("mail"), attempt: 1))
        #expect(state.signIn == nil)
        #expect(state.accountLabel == "mail")
    }

    @Test func `the welcome screen leads to the demo and out`() {
        var state = Self.welcome()
        #expect(state.press("d") == [.openDemo])
        #expect(state.press("q") == [.quit])
        #expect(state.update(.input(.key(.character("c"), .control))) == [])
        #expect(state.screen.contains("once more"))
        #expect(state.update(.input(.key(.character("c"), .control))) == [.quit])
        _ = state.update(.input(.paste("https://mail.example.com/inbox\n")))
        #expect(state.screen.contains("> https://mail.example.com/inbox"))
        _ = state.update(.input(.plain(.escape)))
        #expect(state.screen.contains("Welcome to Herald"))
    }

    /// Fails when somebody without an account finds no help, or a command acts on mail that is nobody's.
    @Test func `help and commands work before anybody has signed in`() {
        var state = Self.welcome()
        _ = state.press("?")
        #expect(state.screen.contains("While signing in") && state.screen.contains("Copy the code."), "\(state.screen)")
        #expect(state.screen.contains("In the list of keys"), "\(state.screen)")
        _ = state.press("q")
        #expect(state.screen.contains("Welcome to Herald"))
        for line in ["archive", "refresh", "outbox", "all-inboxes", "account x"] {
            _ = state.press(":" + line)
            let effects = state.update(.input(.plain(.enter)))
            #expect(effects.allSatisfy { if case .remember = $0 { true } else { $0 == .bell } }, "\(line): \(effects)")
        }
        _ = state.press(":add-account")
        _ = state.update(.input(.plain(.enter)))
        #expect(state.screen.contains("Type the address"), "\(state.screen)")
        _ = state.press("?:")
        #expect(state.screen.contains("> ?:"))
        _ = state.update(.input(.plain(.escape)))
        _ = state.press(":q")
        #expect(state.update(.input(.plain(.enter))).contains(.quit))
    }

    /// Fails when an address pasted with blanks around it is refused, or blanks inside are guessed away.
    @Test func `blanks around an address are passed over, and those inside are kept to be told`() {
        for (typed, sent) in [("  mail.example.com ", "mail.example.com"), ("mail. example.com", "mail. example.com")] {
            var state = Self.welcome()
            _ = state.update(.input(.paste(typed)))
            let effects = state.update(.input(.plain(.enter)))
            #expect(effects == [.beginSignIn(SignInRequest(address: sent, attempt: 1))])
        }
    }

    /// Fails when a failure is no sentence with a way on.
    @Test func `a failure is told and can be tried again`() {
        var state = Self.welcome()
        _ = state.update(.input(.plain(.enter)))
        _ = Self.type("mail.example.com", &state)
        _ = state.update(.signIn(.failed("This address is not an HQBase server. Check it."), attempt: 1))
        #expect(state.screen.contains("This address is not an HQBase server. Check it."))
        _ = state.update(.input(.plain(.enter)))
        #expect(state.screen.contains("> mail.example.com"))
        #expect(
            state.update(.input(.plain(.enter))) == [
                .beginSignIn(SignInRequest(address: "mail.example.com", attempt: 2))
            ])
    }

    /// Fails when an answer that comes after the person has given up still signs in.
    @Test func `an answer to a try that was given up is dropped`() {
        var state = Self.welcome()
        _ = state.update(.input(.plain(.enter)))
        _ = Self.type("mail.example.com", &state)
        #expect(state.update(.input(.plain(.escape))) == [.cancelSignIn])
        _ = state.update(.signIn(.code(Self.code), attempt: 1))
        #expect(!state.screen.contains("K 7"))
        #expect(state.screen.contains("> mail.example.com"))
    }

    /// Fails when the mail of one person is set aside for another without a word.
    @Test(arguments: ScreenTests.sizes)
    func `another person is asked about before anything changes`(columns: Int, rows: Int) {
        var state = AccountsTests.state(columns: columns, rows: rows)
        state.canAddAccounts = true
        _ = Self.type(":sign-in", &state)
        _ = state.update(.signIn(.anotherPerson, attempt: 1))
        #expect(state.screen.contains("set aside") && state.screen.contains("Esc: neither"), "\(state.screen)")
        #expect(state.press("x") == [.bell])
        var asSame = state
        #expect(asSame.press("s") == [.finishSignIn(isSamePerson: true)])
        var asOther = state
        #expect(asOther.press("a") == [.finishSignIn(isSamePerson: false)])
        #expect(state.update(.input(.plain(.escape))) == [.cancelSignIn])
        #expect(state.signIn == nil)
        #expect(state.screen.contains("Nothing was changed."))
    }

    @Test func `a second account of a server gets a name of its own`() {
        var state = AccountsTests.state()
        state.canAddAccounts = true
        _ = Self.type(":add-account", &state)
        _ = Self.type("mail.example.com", &state)
        _ = state.update(.signIn(.nameTaken("home", suggestion: "home-2"), attempt: 1))
        #expect(state.screen.contains("> home-2"))
        #expect(
            state.update(.input(.plain(.enter))) == [
                .beginSignIn(SignInRequest(address: "mail.example.com", name: "home-2", attempt: 2))
            ])
        var again = state
        _ = again.update(.signIn(.nameTaken("home", suggestion: "home"), attempt: 2))
        #expect(
            again.update(.input(.plain(.enter))) == [
                .beginSignIn(SignInRequest(address: "mail.example.com", account: "home", attempt: 3))
            ])
    }

    /// Fails when a mistyped key changes something, or a letter has no large form.
    @Test func `every letter of a code is drawn and every key is safe`() {
        let rows = LargeLetters.rows("ABCDEFGHJKLMNPQRSTUVWXYZ23456789-")
        #expect(rows.count == 5 && rows.allSatisfy { $0.count == 33 * 6 })
        #expect(LargeLetters.rows("a").isEmpty)
        var seed: UInt64 = 3
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let keys: [InputEvent] =
            "osdaycq? é漢".map { .character($0) }
            + [.plain(.enter), .plain(.escape), .plain(.backspace), .plain(.left), .paste("a b\u{1B}[31m")]
            + ["c", "u", "z", "l"].map { .key(.character($0), .control) }
        let answers: [SignInEvent] = [
            .code(Self.code), .failed("No\u{1B}[2J."), .anotherPerson, .nameTaken("x", suggestion: "x-2"),
        ]
        for isFirst in [true, false] {
            var state = isFirst ? Self.welcome() : AccountsTests.state()
            state.canAddAccounts = true
            for _ in 0..<500 {
                if state.signIn == nil { _ = Self.type(":add-account", &state) }
                _ = state.update(.input(keys[next(keys.count)]))
                _ = state.update(.signIn(answers[next(answers.count)], attempt: state.signInAttempt))
                if next(10) == 0 {
                    _ = state.update(.resized(Size(columns: [1, 20, 40, 80][next(4)], rows: [1, 4, 12, 24][next(4)])))
                }
                let grid = state.draw()
                #expect(grid.cells.allSatisfy { !$0.text.contains("\u{1B}") })
            }
        }
    }
}
