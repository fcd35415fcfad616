internal import TerminalUI

/// A code on its way to being approved, as the screen shows it.
package struct SignInCode: Sendable, Hashable {
    /// What the person types, in capital letters and digits.
    package let code: String
    /// Where it is typed.
    package let address: String
    /// The same with the code in it.
    package let addressWithCode: String
    package let secondsLeft: Int64

    package init(code: String, address: String, addressWithCode: String, secondsLeft: Int64) {
        self.code = code
        self.address = address
        self.addressWithCode = addressWithCode
        self.secondsLeft = secondsLeft
    }

    /// The code in two halves, as the server's page shows it.
    var halves: String {
        code.count == 8 ? code.prefix(4) + "-" + code.suffix(4) : code
    }
}

/// Whom to sign in where.
package struct SignInRequest: Sendable, Hashable {
    /// The server's address as it was typed; empty when the account says it.
    package var address: String
    /// The account to sign in to again; `nil` for a new one.
    package var account: String?
    /// The name of a new account; `nil` for that of its server.
    package var name: String?
    /// The number of the try; answers to an earlier one are dropped.
    package var attempt: Int

    package init(address: String, account: String? = nil, name: String? = nil, attempt: Int) {
        self.address = address
        self.account = account
        self.name = name
        self.attempt = attempt
    }
}

/// What comes of a try to sign in.
package enum SignInEvent: Sendable, Hashable {
    /// An account of this name is here already; another one needs a name of its own.
    case nameTaken(String, suggestion: String)
    case code(SignInCode)
    /// The sentence says why not.
    case failed(String)
    /// The mailboxes differ from those of the mail that is here.
    case anotherPerson
    /// An account of this label is signed in.
    case done(String)
}

/// Signing in, from an address to the mail.
struct SignInState: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        /// The first start: there is no account yet.
        case welcome
        /// The address of a server is typed.
        case address
        /// A name is typed, since the usual one is taken.
        case name(taken: String)
        /// The server is asked.
        case asking
        /// The person approves in a browser; the number is when the code ends.
        case waiting(SignInCode, endsAt: Int64)
        /// It was approved by somebody who sees other mailboxes than those here.
        case anotherPerson
        case failed(String)
    }

    var step: Step
    var editor = LineEditor(charactersMax: 300)
    /// The account to sign in to again; `nil` for a new one.
    var account: String?
    var name: String?
    /// Whether there is no account to go back to.
    var isFirst = false
    var attempt = 0
    /// The address as it was typed last.
    var address = ""

    /// Whether letters go into a line.
    var isTyping: Bool {
        switch step {
        case .address, .name: true
        default: false
        }
    }
}
