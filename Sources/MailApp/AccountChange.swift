/// What another process did to an account that this one has open.
enum AccountChange: Error, Hashable, Sendable {
    /// It was removed, with its mail and what was not sent.
    case removed
    /// Another person has signed in to it.
    case anotherPerson(identity: String)

    /// What the person reads.
    var message: String {
        switch self {
        case .removed: "This account was removed."
        case .anotherPerson: "Somebody else has signed in to this account."
        }
    }

    var exitCode: ExitCode { .signInNeeded }
}
