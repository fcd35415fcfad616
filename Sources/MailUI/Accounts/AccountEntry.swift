internal import MailModel
package import TerminalUI

/// An account as the screen names it.
package struct AccountEntry: Sendable, Hashable {
    /// The label, by which everything that concerns the account finds it.
    package let label: String
    /// What the screen calls it.
    package let name: String
    /// Its colour of the terminal's palette; the name or number stands beside it always.
    package let color: Color
    /// Whether a person can sign in to it again; not for a bearer of the environment.
    package let canSignIn: Bool

    package init(label: String, name: String, color: Color, canSignIn: Bool = true) {
        self.label = label
        self.name = name
        self.color = color
        self.canSignIn = canSignIn
    }

    /// The colours of accounts that have chosen none, by their place: blue and yellow are hard to read somewhere.
    package static let colors: [Color] = [.cyan, .magenta, .green, .red]
}

/// What the screen keeps of an account while another one is shown.
///
/// Ids are only unique with one server, so each account has lists, reader and counts of its own: two servers that
/// use the same ids never meet.
struct AccountView: Sendable, Hashable {
    var label: String
    var scope = ListScope(folder: .inbox)
    var counts: [MailboxCounts] = []
    var list = ListState()
    var hasLoadedList = false
    var drafts: [Draft] = []
    var remembered: [ListScope: ItemID] = [:]
    var reader: ReaderState?
    var sync = SyncStatus()
    var triage = TriageState()
    var outbox = OutboxState()
    var writing = WritingState()

    init(label: String) { self.label = label }
}

/// How an account stands, in one sign; a word says the same elsewhere.
enum AccountSign: Sendable, Hashable {
    case well, syncing, offline, failed, signedOut

    init(_ sync: SyncStatus) {
        self =
            if sync.isSignedOut {
                .signedOut
            } else if sync.isOffline {
                .offline
            } else if sync.failure != nil {
                .failed
            } else if sync.isRunning && sync.progress != nil {
                .syncing
            } else {
                .well
            }
    }

    /// The sign; empty when all is well.
    var text: String {
        switch self {
        case .well: ""
        case .syncing: "…"
        case .offline: "~"
        case .failed: "!"
        case .signedOut: "×"
        }
    }

    /// What the sign means.
    var word: String {
        switch self {
        case .well: ""
        case .syncing: "syncing"
        case .offline: "offline"
        case .failed: "sync failed"
        case .signedOut: "signed out"
        }
    }

    var color: Color? {
        switch self {
        case .well, .syncing: nil
        case .offline: .yellow
        case .failed: .red
        case .signedOut: .magenta
        }
    }
}
