internal import MailFilter
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
    /// Whether any list was ever loaded; before that it is not sure that one will be.
    var hasLoadedList = false
    var drafts: [Draft] = []
    /// Filters that the settings give names to.
    package var savedSearches: [SavedSearch] = []
    /// Where the selection was in lists shown before.
    var remembered: [ListScope: ItemID] = [:]
    /// The conversations that the next action in the list is for.
    var selection = Selection<ThreadID>()
    /// What was done to mail and is on its way.
    var triage = TriageState()
    /// What waits to be sent.
    var outbox = OutboxState()
    /// What is being written, and what of it waits to be sent.
    var writing = WritingState()
    var reader: ReaderState?
    /// The accounts of this machine, in the order of the sidebar.
    package internal(set) var accounts: [AccountEntry] = []
    /// What the other accounts showed when they were left, by their labels.
    var parked: [String: AccountView] = [:]
    /// The inbox of all accounts; `nil` while it is not in use.
    var combined: CombinedState?
    /// What was done to mail, in the order of doing, over all accounts.
    var acted = ActedLog()
    /// Signing in; `nil` while nobody does.
    var signIn: SignInState?
    /// The number of the last try to sign in.
    var signInAttempt = 0
    /// Whether further accounts can be added here.
    package var canAddAccounts = false
    /// The first help line shown; `nil` while help is closed.
    var helpTop: Int?
    /// The words the help is narrowed to.
    var helpWords = ""
    /// What goes on between messages and files.
    var files = FilesState()
    /// The line being typed; `nil` while no prompt is open.
    var prompt: Prompt?
    /// What keys do; the program replaces it when the settings change them.
    package var keyMap = KeyMap.standard
    /// The settings that can be changed while the program runs.
    package var settings: [SettingChoice] = []
    /// Command lines typed before, the newest last.
    var history: [String] = []
    /// The names of the keys typed of an unfinished sequence.
    var pendingKeys: [String] = []
    /// The number typed before a key: how often, or which line.
    var count: Int?
    /// Whether the reader draws pictures.
    package var showsPictures = false
    /// The message whose sender one more key trusts, since there is no way back.
    var armedTrust: MessageID?
    /// Why pictures cannot be drawn here; `nil` as far as is known.
    var picturesUnavailable: String?
    /// The choice of a link; `nil` while none is asked for.
    var linkPrompt: LinkPrompt?
    var sync = SyncStatus()
    var now: Int64 = 0
    /// How the program shows itself.
    package var presentation = Presentation()
    /// The first line of the sidebar after the wheel moved it; `nil` keeps the selected folder in view.
    var sidebarTop: Int?
    /// Whether text that runs from right to left is drawn in order; some terminals put it in order themselves.
    package var ordersText = true
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
    var context: ActionContext { helpTop == nil ? contextBelowHelp : .help }

    /// Where keys go when the help is closed, and commands also while it is open.
    var contextBelowHelp: ActionContext {
        // Only what works everywhere does while somebody signs in.
        if signIn != nil { return .help }
        if writing.composer != nil { return .review }
        if outbox.isOpen { return .outbox }
        if isCombinedShown { return .combined }
        if files.menu != nil, openThread != nil { return .attachments }
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
    /// Messages up to here are those that the rows show.
    var horizon: Int64 = 0
    var selected: ItemID?
    /// Where the selection was found last, to look there first.
    var place = 0
    /// The index of the first line shown.
    var offset = 0
    /// Whether the wheel took the selection out of view; any move of the selection ends it.
    var isLoose = false

    /// The snippets of lines shown, cleaned once and not for each frame.
    var snippets: [MessageID: String] = [:]

    /// What the filter means; `nil` without one.
    var parsed: Filter?
    /// Why what is typed is no filter yet, so that the one before it stays.
    var fault: FilterError?
    /// Whether Enter was pressed on it, so that also what may still become a filter is told as wrong.
    var isFaultTold = false
    /// How much of the mail a search can find; `nil` until one has told.
    var coverage: SearchCoverage?
    /// The filter whose conversations are looked for to be selected; `nil` while there is none.
    var selecting: String?
    /// The drafts that the filter means; `nil` without one.
    var hits: Set<DraftID>?
    /// What the server found with the filter that the cache did not.
    var serverRows: [ConversationRow] = []
    /// The filter of the rows that are loaded.
    var shownFilter = ""
    /// How many rows were asked for before a filter, so that the place is found again after it.
    var unfilteredLimit: Int?
    /// Where to go once the rows asked for are there; going elsewhere calls it off.
    var seek: Seek?
    /// What was typed ahead of the rows.
    var held: [AppState.Held] = []

    /// How many more rows each further load asks for.
    static let step = 200
    /// The longest list that a jump loads; further rows come as the selection nears the end.
    static let most = 10_000

    /// What a selection waits for.
    enum Seek: Sendable, Hashable {
        case last
        /// A line by its index, to be opened when the person was reading.
        case line(Int, opens: Bool)
        /// The next unread conversation, to be opened when the person was reading.
        case unread(opens: Bool)
        /// What has the words, to be selected.
        case matches(String)
    }
}

/// How the account stands with its server.
struct SyncStatus: Sendable, Hashable {
    var isRunning = false
    var progress: AppEvent.SyncProgress?
    var lastSynced: Int64?
    var failure: String?
    var isOffline = false
    /// Whether the server no longer accepts the sign-in.
    var isSignedOut = false
    /// When the person approved the sign-in, in seconds since 1970 by this machine's clock; `nil` where nobody did.
    var signedInAt: Int64?
    /// Whether the person asked for the pass that runs, and so is told how it ends.
    var wasAskedFor = false
    /// The failure that is shown as a notice.
    var told: String?
}
