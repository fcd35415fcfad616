internal import DisplayText
internal import TerminalUI

/// Signing in on the screen: what keys do, and what answers change.
extension AppState {
    /// Shows the screen for people without an account.
    package mutating func welcome() {
        signIn = SignInState(step: .welcome, isFirst: true)
    }

    /// Why nobody can sign in here; `nil` when somebody can.
    var signInReason: String? {
        if !canAddAccounts { return "HERALD_TOKEN says who is signed in. Start Herald without it to sign in." }
        return nil
    }

    /// Why the account shown cannot be signed in to again; `nil` when it can.
    var signInAgainReason: String? {
        signInReason ?? (entry?.canSignIn == false ? "This account has a token of its own." : nil)
    }

    /// Signs in to a further account.
    mutating func addAccount() -> [Effect] {
        signIn = SignInState(step: .address, isFirst: accounts.isEmpty)
        return []
    }

    /// Signs in again to the account shown.
    mutating func signInAgain() -> [Effect] {
        guard let entry else { return addAccount() }
        signIn = SignInState(step: .asking, account: entry.label)
        return beginSignIn()
    }

    /// Takes a key while the screen for signing in is open.
    mutating func handleSignIn(_ input: InputEvent) -> [Effect] {
        guard let state = signIn else { return [] }
        switch input {
        case .focusGained, .focusLost, .background: return []
        case .mouse: return []
        default: notice = nil
        }
        if case .key(.character("c"), .control) = input { return leaveSignIn(isInterrupt: true) }
        isInterruptArmed = false
        switch input {
        case .key(.character("z"), .control): return [.suspend]
        case .key(.character("l"), .control): return [.redraw]
        case .key(.escape, _): return leaveSignIn(isInterrupt: false)
        default: break
        }
        if state.isTyping { return type(input, state) }
        switch input {
        case .key(.character("?"), []), .key(.function(1), _):
            (helpTop, helpWords) = (0, "")
            return []
        case .key(.character(":"), []): return openCommandLine()
        default: break
        }
        switch state.step {
        case .welcome: return handleWelcome(input)
        case .waiting(let code, _): return handleWaiting(input, code)
        case .anotherPerson: return handleAnother(input)
        case .failed:
            guard case .key(.enter, _) = input else { return [.bell] }
            return retrySignIn()
        case .asking, .address, .name: return [.bell]
        }
    }

    private mutating func type(_ input: InputEvent, _ state: SignInState) -> [Effect] {
        if case .key(.enter, _) = input { return finishSignInLine(state) }
        return signIn?.editor.take(input) == .ignored ? [.bell] : []
    }

    private mutating func handleWelcome(_ input: InputEvent) -> [Effect] {
        switch input {
        case .paste:
            signIn?.step = .address
            _ = signIn?.editor.take(input)
        case .key(.enter, _), .key(.character("s"), []): signIn?.step = .address
        case .key(.character("d"), []): return [.openDemo]
        case .key(.character("q"), []), .key(.character("Q"), []): return [.quit]
        default: return [.bell]
        }
        return []
    }

    private mutating func handleWaiting(_ input: InputEvent, _ code: SignInCode) -> [Effect] {
        switch input {
        case .key(.character("o"), []), .key(.enter, _): [.openAddress(code.addressWithCode)]
        case .key(.character("y"), []): [.copy(code.addressWithCode)]
        case .key(.character("c"), []): [.copy(code.halves)]
        default: [.bell]
        }
    }

    /// Nothing is set aside before the person has said so.
    private mutating func handleAnother(_ input: InputEvent) -> [Effect] {
        switch input {
        case .key(.character("a"), []):
            signIn?.step = .asking
            return [.finishSignIn(isSamePerson: false)]
        case .key(.character("s"), []):
            signIn?.step = .asking
            return [.finishSignIn(isSamePerson: true)]
        default: return [.bell]
        }
    }

    private mutating func finishSignInLine(_ state: SignInState) -> [Effect] {
        // Blanks around it come along with what is pasted; those inside are told, not guessed away.
        let text = state.editor.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else {
            notice = "Type something first, or Esc to go back."
            return [.bell]
        }
        if case .name = state.step {
            let label = state.editor.text.split(whereSeparator: \.isWhitespace).joined(separator: "-")
            let isHere = entry(of: label) != nil
            signIn?.account = isHere ? label : nil
            signIn?.name = isHere ? nil : label
        } else {
            signIn?.address = text
            signIn?.name = nil
            signIn?.account = nil
        }
        return beginSignIn()
    }

    private mutating func beginSignIn() -> [Effect] {
        guard var state = signIn else { return [] }
        state.step = .asking
        state.attempt = signInAttempt + 1
        signInAttempt = state.attempt
        signIn = state
        return [
            .beginSignIn(
                SignInRequest(
                    address: state.address, account: state.account, name: state.name, attempt: state.attempt))
        ]
    }

    /// Tries again: with the same address, which may be changed first, or at once where there is none.
    private mutating func retrySignIn() -> [Effect] {
        guard let state = signIn else { return [] }
        if state.account != nil, state.address.isEmpty { return beginSignIn() }
        signIn?.step = .address
        signIn?.editor.replace(with: state.address)
        return []
    }

    /// One step back: from a try to the address, from there out.
    private mutating func leaveSignIn(isInterrupt: Bool) -> [Effect] {
        guard let state = signIn else { return [] }
        let isUnderWay = [.asking, .anotherPerson].contains(state.step) || state.isWaiting
        let effects: [Effect] = isUnderWay ? [.cancelSignIn] : []
        if isUnderWay { signInAttempt += 1 }
        if isInterrupt, isInterruptArmed { return effects + [.quit] }
        switch state.step {
        case .welcome:
            notice = isInterrupt ? "Press C-c once more to leave Herald." : "q leaves Herald."
        case .address where state.isFirst: signIn?.step = .welcome
        case .name:
            signIn?.step = .address
            signIn?.editor.replace(with: state.address)
        case .address: signIn = nil
        default:
            if state.account != nil, state.address.isEmpty {
                signIn = nil
                notice = "Nothing was changed."
            } else {
                signIn?.step = .address
                signIn?.editor.replace(with: state.address)
            }
        }
        return effects
    }

    /// Takes what came of a try; of an earlier one it is dropped.
    mutating func take(_ event: SignInEvent, attempt: Int) -> [Effect] {
        guard signIn != nil, attempt == signInAttempt else { return [] }
        switch event {
        case .nameTaken(let label, let suggestion):
            signIn?.step = .name(taken: label)
            signIn?.editor.replace(with: suggestion)
        case .code(let code): signIn?.step = .waiting(code, endsAt: now + code.secondsLeft)
        case .failed(let sentence): signIn?.step = .failed(sentence)
        case .anotherPerson: signIn?.step = .anotherPerson
        case .done(let label):
            // What was told of the try is over with it.
            (signIn, notice) = (nil, nil)
            return leaveCombined() + showAccount(label)
        }
        return []
    }
}

extension SignInState {
    /// Whether a code waits to be approved.
    var isWaiting: Bool {
        if case .waiting = step { return true }
        return false
    }
}
