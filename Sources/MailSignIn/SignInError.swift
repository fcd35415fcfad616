package import HTTP

/// Why a sign-in did not come about, or has ended.
package enum SignInError: Error, Hashable, Sendable {
    /// The exchange itself failed.
    case transport(HTTPError)
    /// The address would send a password or token over the network unencrypted.
    case insecure
    /// The address answers, but offers no sign-in of a mail server.
    case wrongServer
    /// The server is of a release without the mail API.
    case tooOld
    /// The server names an address on another host for a part of the sign-in.
    case foreignEndpoint
    /// The person said no, or the browser's session ended before it was used.
    case denied
    /// The code was not approved in time.
    case expired
    /// The server refused for a reason of its own; the word is one of RFC 6749 or RFC 8628, or empty.
    case refused(String)
    /// The server asks to come back later.
    case rateLimited
    /// The server failed, with its status (5xx).
    case server(Int)
    /// The answer breaks the contract.
    case malformed
    /// The sign-in has ended: revoked, replaced, or the browser's session that approved it is over.
    case ended
    /// Nobody has signed in.
    case none
    /// Somebody else has signed in to the account since.
    case anotherPerson

    /// What the person reads.
    package var message: String {
        switch self {
        case .transport(.tlsFailed):
            "A secure connection to the server could not be made. Check its certificate, and this machine's clock."
        case .transport(let error): error.message
        case .insecure: "Herald signs in over https only; over http, anybody on the way could read the token."
        case .wrongServer: "This address is not an HQBase server. Check it."
        case .tooOld: "This server is too old. HQBase 1.1 or newer is needed to sign in."
        case .foreignEndpoint: "The server wants the sign-in sent to another address. Nothing was sent there."
        case .denied: "The sign-in was not approved."
        case .expired: "The sign-in was not approved in time. Start again."
        case .refused: "The server refused the sign-in."
        case .rateLimited: "The server asks to slow down. Try again in a minute."
        case .server: "The server failed, so nobody can sign in just now. Try again later."
        case .malformed: "The server sent an answer that cannot be read."
        case .ended: "This sign-in has ended. Sign in again with “herald account add”."
        case .none: "Nobody is signed in. Sign in with “herald account add”."
        case .anotherPerson: "Somebody else has signed in to this account meanwhile. Start Herald again to go on."
        }
    }

    /// A word of ours for logs and scripts; nothing the server said is in it.
    package var code: StaticString {
        switch self {
        case .transport: "transport"
        case .insecure: "insecure"
        case .wrongServer: "wrong-server"
        case .tooOld: "too-old"
        case .foreignEndpoint: "foreign-endpoint"
        case .denied: "denied"
        case .expired: "expired"
        case .refused: "refused"
        case .rateLimited: "rate-limited"
        case .server: "server-failed"
        case .malformed: "malformed"
        case .ended: "ended"
        case .none: "none"
        case .anotherPerson: "another-person"
        }
    }

    /// The exit code of a command that failed with it, by sysexits.
    package var exitCode: Int32 {
        switch self {
        case .transport, .server: 69
        case .rateLimited: 75
        case .wrongServer, .tooOld, .foreignEndpoint, .malformed: 76
        case .insecure: 78
        case .denied, .expired, .refused, .ended, .none, .anotherPerson: 77
        }
    }
}
