package import MailModel
package import TerminalUI

/// All the terminal program knows; changed only by `update`, shown only by `draw`.
package struct AppState: Sendable, Hashable {
    package var size: Size
    /// The account's name on the status line.
    package var accountLabel: String
    /// Which folder of which mailbox the list shows.
    package internal(set) var scope: ListScope
    var counts: [MailboxCounts] = []
    var list = ListState()
    var drafts: [Draft] = []
    /// Where the selection was in lists shown before.
    var remembered: [ListScope: ItemID] = [:]
    var reader: ReaderState?
    /// The first help line shown; `nil` while help is closed.
    var helpTop: Int?
    /// The filter being typed; `nil` while no prompt is open.
    var prompt: String?
    /// Keys typed of an unfinished sequence.
    var pendingKeys = ""
    var sync = SyncStatus()
    var now: Int64 = 0
    var utcOffsetSeconds = 0
    /// A sentence shown on the status line until the next key.
    var notice: String?
    /// Whether one more interrupt key quits.
    var isInterruptArmed = false

    package init(size: Size, accountLabel: String, scope: ListScope = ListScope(folder: .inbox)) {
        self.size = size
        self.accountLabel = accountLabel
        self.scope = scope
    }

    /// The conversation selected in the list.
    package var selectedThread: ThreadID? {
        if case .thread(let id) = list.selected { return id }
        return nil
    }

    /// The draft selected in the list.
    package var selectedDraft: DraftID? {
        if case .draft(let id) = list.selected { return id }
        return nil
    }

    /// The conversation open in the reader.
    package var openThread: ThreadID? {
        if case .thread(let id) = reader?.item { return id }
        return nil
    }

    /// Where keys go now.
    var context: ActionContext {
        if helpTop != nil { return .help }
        return reader == nil ? .list : .reader
    }
}

/// What one line of the list stands for.
enum ItemID: Sendable, Hashable {
    case thread(ThreadID)
    case draft(DraftID)
}

/// The list pane: what was loaded, what is asked for, where the person is.
struct ListState: Sendable, Hashable {
    var rows: [ConversationRow] = []
    var hasMore = false
    var isLoaded = false
    var filter = ""
    var limit = ListState.step
    /// The number of the question asked last; answers to older ones are dropped.
    var generation = 0
    var selected: ItemID?
    /// The index of the first line shown.
    var offset = 0

    /// Where to go once the rows asked for are there; any key that acts calls it off.
    var seek: Seek?

    /// How many more rows each further load asks for.
    static let step = 200
    /// The longest list that a jump loads; further rows come as the selection nears the end.
    static let most = 10_000

    /// What a selection waits for.
    enum Seek: Sendable, Hashable {
        case last
        /// The next unread conversation, to be opened when the person was reading.
        case unread(opens: Bool)
    }
}

/// How the account stands with its server.
struct SyncStatus: Sendable, Hashable {
    var isRunning = false
    var progress: AppEvent.SyncProgress?
    var lastSynced: Int64?
    var failure: String?
    var isOffline = false
}
