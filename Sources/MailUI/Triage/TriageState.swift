package import MailModel

/// What the reader goes to when its conversation leaves the list.
package enum AfterAction: String, Sendable, Hashable, CaseIterable {
    case next, previous, list
}

/// What the settings say of acting on mail.
package struct TriageSettings: Sendable, Hashable {
    /// Where to go after a conversation has left the list.
    package var afterAction: AfterAction
    /// How long a conversation is open before it counts as read, in milliseconds; `nil` is never.
    package var markAfter: Int?
    /// The same by mailbox, by its address in small letters, where it is another.
    package var markAfterIn: [String: Int?]

    package init(afterAction: AfterAction = .next, markAfter: Int? = 2_000, markAfterIn: [String: Int?] = [:]) {
        self.afterAction = afterAction
        self.markAfter = markAfter
        self.markAfterIn = markAfterIn
    }
}

/// Something a person did to mail, for the program to queue.
package struct TriageOrder: Sendable, Hashable {
    /// Counts up; the answer names it.
    package var number: Int
    package var request: TriageRequest
    /// Whether nobody pressed a key for it, so that undo passes over it.
    package var isAutomatic: Bool

    package init(number: Int, request: TriageRequest, isAutomatic: Bool = false) {
        self.number = number
        self.request = request
        self.isAutomatic = isAutomatic
    }
}

/// What the program is asked once an order is queued: all that the screen shows of it, read anew.
package struct SettleQuestion: Sendable, Hashable {
    /// The newest order that is queued.
    package var number: Int
    package var scope: ListScope
    package var filter: String
    /// How many rows; `nil` where the list shows no conversations.
    package var limit: Int?
    package var generation: Int
    package var thread: ThreadID?

    package init(
        number: Int, scope: ListScope, filter: String, limit: Int?, generation: Int, thread: ThreadID?
    ) {
        self.number = number
        self.scope = scope
        self.filter = filter
        self.limit = limit
        self.generation = generation
        self.thread = thread
    }
}

/// The answer, all of one moment.
package struct SettleAnswer: Sendable, Hashable {
    package var question: SettleQuestion
    package var counts: [MailboxCounts]
    package var rows: [ConversationRow]
    package var hasMore: Bool
    package var horizon: Int64
    package var messages: [ConversationMessage]

    package init(
        question: SettleQuestion, counts: [MailboxCounts], rows: [ConversationRow], hasMore: Bool, horizon: Int64,
        messages: [ConversationMessage]
    ) {
        self.question = question
        self.counts = counts
        self.rows = rows
        self.hasMore = hasMore
        self.horizon = horizon
        self.messages = messages
    }
}

/// What was done and is not yet known to be in what the cache answers.
struct TriageState: Sendable, Hashable {
    var settings = TriageSettings()
    /// The number of the last order.
    var lastNumber = 0
    /// Orders whose effect is drawn over what the cache answers, oldest first.
    var pending: [PendingTriage] = []
    /// The newest order of a key, which undo meets first.
    var lastActed = 0
    /// The newest order that the outbox has answered.
    var queued = 0
    /// The newest order that the cache was asked about; `nil` while no question is open.
    var settling: Int?
    /// The newest order that the cache shows.
    var settled = 0
    /// Where the person acted, the newest last, to go back there with undo.
    private(set) var places: [Place] = []
    /// The conversation that undo brings back, to be gone to when the cache shows it.
    var returning: Returning?
    /// The selection that undo brought back last; empty when it brought none.
    var broughtBack: [ThreadID] = []
    /// The long work under way; `nil` while there is none.
    var bulk: BulkWork?
    /// The number of the last time that was asked for to be told.
    var lastTimer = 0
}

extension TriageState {
    /// The conversation that an order was given at.
    struct Place: Sendable, Hashable {
        let number: Int
        let scope: ListScope
        let thread: ThreadID
        /// What was acted on, in words.
        let what: String
        /// Whether the order was given in the reader.
        let isReading: Bool
        /// Whether the conversation left the list by it.
        let hasLeft: Bool
        /// The selection that it was for and that left the list; empty without one.
        var selected: [ThreadID] = []
        /// What the outbox has it as; `nil` until it has.
        var batch: BatchID?
    }

    /// A conversation that comes back, the number of the undo that brings it, and where the list's cursor was.
    struct Returning: Sendable, Hashable {
        let place: Place
        let number: Int
        let cursor: ItemID?
    }

    /// As many as can be undone.
    private static let placesMax = 20

    mutating func note(_ place: Place) {
        places.append(place)
        places.removeFirst(max(0, places.count - TriageState.placesMax))
    }

    /// An order that did nothing is none to undo.
    mutating func forget(_ number: Int) { places.removeAll { $0.number == number } }

    /// Takes down what the outbox has an order as.
    mutating func note(_ batch: BatchID?, of number: Int) {
        guard let index = places.lastIndex(where: { $0.number == number }) else { return }
        places[index].batch = batch
    }

    /// Takes back the place where what is undone was done, to go back there once the cache shows it.
    ///
    /// `cursor` is where the list's cursor is now. `nil` for what this run of the program did not do.
    mutating func takeBack(_ batch: BatchID, undone number: Int, from cursor: ItemID?) -> Place? {
        guard let index = places.lastIndex(where: { $0.batch == batch }) else { return nil }
        let place = places.remove(at: index)
        returning = place.hasLeft ? Returning(place: place, number: number, cursor: cursor) : nil
        return place
    }
}

/// One order, and what it makes of the screen until the cache shows it by itself.
struct PendingTriage: Sendable, Hashable {
    let number: Int
    let action: TriageAction
    let at: Timestamp
    let scope: ListScope
    /// What becomes of rows of the list.
    var rows: [ThreadID: RowChange] = [:]
    /// Messages acted on one by one.
    var messages: Set<MessageID> = []
    var counts: [CountKey: CountChange] = [:]

    /// What becomes of a row.
    struct RowChange: Sendable, Hashable {
        /// The message the row showed; a row that shows another by now is left alone, since it is news.
        let shown: MessageID
        /// The row as it is from now on; `nil` when it leaves the list.
        let after: ConversationRow?
    }

    /// A folder of a mailbox, or of all.
    struct CountKey: Sendable, Hashable {
        let mailbox: MailboxID?
        let folder: Folder
    }

    /// How much more it counts.
    struct CountChange: Sendable, Hashable {
        var unread = 0
        var total = 0
    }
}

/// An action on more messages than are sent in a moment.
struct BulkWork: Sendable, Hashable {
    /// What is done: “Archive”.
    let name: String
    let number: Int
    /// How many messages; `nil` until they are queued.
    var total: Int?
    /// How many of them wait.
    var waiting = 0

    /// Fewer are done before anyone has read how far they are.
    static let least = 300
}
