internal import MailModel

/// What a list shows, line by line; costs nothing until a line is asked for, since each key asks for a few of very many.
struct ListLines: RandomAccessCollection {
    private let rows: [ConversationRow]
    /// The drafts, where the list shows them in place of conversations.
    private let drafts: [Draft]?

    init(rows: [ConversationRow], drafts: [Draft]?) {
        (self.rows, self.drafts) = (rows, drafts)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { drafts?.count ?? rows.count }

    subscript(position: Int) -> ItemID {
        drafts.map { .draft($0[position].id) } ?? .thread(rows[position].threadID)
    }

    /// Where a line is; looks where it is thought to be before it looks everywhere.
    func index(of item: ItemID, near guess: Int) -> Int? {
        for place in [guess, guess - 1, guess + 1] where indices.contains(place) && self[place] == item { return place }
        return firstIndex(of: item)
    }
}
