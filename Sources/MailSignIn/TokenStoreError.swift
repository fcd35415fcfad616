internal import Glibc

/// Why a sign-in could not be read or kept.
package enum TokenStoreError: Error, Hashable, Sendable {
    /// Who keeps secrets besides our own file.
    package enum Keeper: Hashable, Sendable {
        case keyring, command
    }

    /// Others may read the file: its mode says so, or it is not ours.
    case exposed
    /// What is there is no sign-in.
    case damaged
    /// There is something else than a file where the sign-in is kept.
    case notFile
    /// The system refused, with its error number.
    case system(Int32)
    /// There is no session bus, so no keyring can be asked.
    case noBus
    /// The keyring is locked, or there is none yet; opening it would ask the person.
    case locked
    /// There was no answer in time.
    case hangs(Keeper)
    /// The program ended with an error.
    case failed(Keeper)
    /// The program is not there.
    case noProgram(Keeper)
    /// The keyring holds nothing of this account.
    case noSecret
    /// What `token_command` printed is no token.
    case noToken
    /// The account was set up with `token_command`, which the settings do not have now.
    case noCommand

    private static let elsewhere = "Or set token_store to \"file\" and sign in again."

    /// What the person reads.
    package var message: String {
        switch self {
        case .exposed:
            "The file with the sign-in can be read by others, so it is not used. Sign in again, or chmod 600 it."
        case .damaged: "The file with the sign-in is damaged. Sign in again."
        case .notFile: "There is something else where the file with the sign-in should be. Remove token.json there."
        case .system(let code): "The sign-in could not be read or kept: \(String(cString: strerror(code)))."
        case .noBus: "The keyring cannot be asked, since there is no session bus. Log in there. \(Self.elsewhere)"
        case .locked: "The keyring is locked. Unlock it. \(Self.elsewhere)"
        case .hangs(.keyring): "The keyring does not answer. Restart it. \(Self.elsewhere)"
        case .hangs(.command): "The program of token_command did not end in time. Try it by itself."
        case .failed(.keyring): "The keyring refused. Look whether it is open. \(Self.elsewhere)"
        case .failed(.command): "The program of token_command ended with an error. Try it by itself."
        case .noProgram(.keyring):
            "The keyring needs secret-tool and dbus-send. Install libsecret-tools and dbus. \(Self.elsewhere)"
        case .noProgram(.command): "The program of token_command cannot be started. Check its path."
        case .noSecret: "The keyring has no sign-in of this account. Sign in again."
        case .noToken: "The program of token_command printed something that is no token. Try it by itself."
        case .noCommand: "This account uses token_command, which is not set. Set it, or sign in again."
        }
    }

    /// A word of ours for logs; nothing from outside is in it.
    package var code: StaticString {
        switch self {
        case .exposed: "exposed"
        case .damaged: "damaged"
        case .notFile: "not-file"
        case .system: "system"
        case .noBus: "no-bus"
        case .locked: "locked"
        case .hangs: "hangs"
        case .failed: "failed"
        case .noProgram: "no-program"
        case .noSecret: "no-secret"
        case .noToken: "no-token"
        case .noCommand: "no-command"
        }
    }

    /// The exit code of a command that failed with it, by sysexits.
    package var exitCode: Int32 {
        switch self {
        case .exposed, .damaged, .notFile, .noSecret, .noToken: 77
        case .system: 74
        // Somebody may log in or unlock it soon.
        case .noBus, .locked, .hangs, .failed: 75
        case .noProgram, .noCommand: 78
        }
    }
}
