internal import MailAPI

/// How much of a server's word a sync takes before it gives up.
package struct SyncLimits: Sendable, Hashable {
    /// Pages of one listing or round; more than any server has.
    package var pagesMax = 100_000
    /// Change pages in a row without a change; whole pages of outdated entries are rare (contract §9.2).
    package var emptyPagesMax = 10_000
    /// Pages of drafts.
    package var draftPagesMax = 10_000
    /// Re-listings of one pass; a round that loses rows while one runs starts it over.
    package var repairsMax = 3

    package init() {}
}

/// Notices page cursors that go in a circle, and walks longer than any real one, in constant memory.
///
/// Brent's algorithm: a cursor is kept and compared until as many pages as it was worth have passed.
struct CycleGuard {
    private let pagesMax: Int
    private var anchor: String?
    private var pages = 0
    private var sinceAnchor = 0
    private var span = 1

    /// A guard of a walk that begins at a cursor, or without one.
    init(start: String?, pagesMax: Int) {
        anchor = start
        self.pagesMax = pagesMax
    }

    /// Takes the cursor of a following page in.
    mutating func accept(_ cursor: String) throws(MailAPIError) {
        pages += 1
        guard pages < pagesMax, cursor != anchor else { throw .endlessPages }
        sinceAnchor += 1
        if sinceAnchor == span {
            anchor = cursor
            span *= 2
            sinceAnchor = 0
        }
    }
}
