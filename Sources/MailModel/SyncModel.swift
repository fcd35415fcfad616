/// One entry of the change feed (contract §3.9).
package enum MessageChange: Sendable, Hashable {
    case upsert(MessageSummary)
    case delete(MessageID)
}

/// Which list of messages a walk reads, page by page.
package enum Listing: Sendable, Hashable {
    /// A stored folder over all readable mailboxes and unassigned mail.
    case folder(Folder)
    /// Every folder of one mailbox, for a mailbox that became readable.
    case mailbox(MailboxID)
    /// Every message the account can see, in one order that no move disturbs.
    case everything
}

/// How far a listing got: where it goes on, or that it never started.
package struct ListingProgress: Sendable, Hashable {
    package var listing: Listing
    /// The cursor of the next page; `nil` before the first page.
    package var next: String?

    package init(listing: Listing, next: String?) {
        self.listing = listing
        self.next = next
    }
}

/// Why everything is listed again.
package enum RelistingPurpose: String, Sendable, Hashable {
    /// Rows may be wrong; the next pass lists everything and repairs them.
    case repair
    /// A slow check in idle time, a page now and then.
    case audit
}

/// How far a page of the change feed can be trusted to tell everything.
package enum FeedTrust: Sendable, Hashable {
    /// Every row of the journal up to its cursor was shown.
    case complete
    /// Some rows were not: they are of mail out of sight, or outdated.
    case hidesRows
    /// Rows of mail in sight may be lost.
    case losesRows
}

/// How far a listing that looks for wrong rows got.
package struct Relisting: Sendable, Hashable {
    package var purpose: RelistingPurpose
    /// The cursor of the next page; `nil` before the first page and when all were read.
    package var next: String?
    /// Whether all pages were read, so that rows it did not meet are gone.
    package var isListed: Bool

    package init(purpose: RelistingPurpose, next: String? = nil, isListed: Bool = false) {
        self.purpose = purpose
        self.next = next
        self.isListed = isListed
    }
}

/// What the store knows of its sync.
package struct SyncState: Sendable, Hashable {
    /// The change cursor that covers the rows; `nil` before the first bootstrap began.
    package var cursor: String?
    /// Whether a bootstrap ran to its end at least once.
    package var isBootstrapped: Bool
    /// Listings that are not complete, inbox first.
    package var pending: [ListingProgress]
    /// Whether the pending listings belong to a bootstrap, whose end removes rows it did not see.
    package var isBootstrapping: Bool
    /// When the server's features were last read and found sufficient, in milliseconds since 1970.
    package var featuresReadAt: Int64?
    /// The listing that looks for wrong rows, when one is under way.
    package var relisting: Relisting?
    /// When a page of such a listing was last read, in milliseconds since 1970.
    package var relistedAt: Int64?
    /// When the last complete listing of everything began, in milliseconds since 1970.
    package var listedAt: Int64?
    /// Whether something may have changed since then without a word, so that everything is to be listed again.
    package var isDoubtful: Bool
    /// Whether pages of listings were read and the mailbox list has not been read again since.
    package var isUnconfirmed: Bool

    package init(
        cursor: String?, isBootstrapped: Bool, pending: [ListingProgress], isBootstrapping: Bool,
        featuresReadAt: Int64? = nil, relisting: Relisting? = nil, relistedAt: Int64? = nil, listedAt: Int64? = nil,
        isDoubtful: Bool = false, isUnconfirmed: Bool = false
    ) {
        self.relisting = relisting
        self.relistedAt = relistedAt
        self.listedAt = listedAt
        self.isDoubtful = isDoubtful
        self.isUnconfirmed = isUnconfirmed
        self.featuresReadAt = featuresReadAt
        self.cursor = cursor
        self.isBootstrapped = isBootstrapped
        self.pending = pending
        self.isBootstrapping = isBootstrapping
    }
}

/// Rows a commit changed; equal rows do not count.
package struct CommitCounts: Sendable, Hashable {
    package var inserted: Int
    package var updated: Int
    package var deleted: Int

    package init(inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    /// Whether nothing changed.
    package var isEmpty: Bool { inserted == 0 && updated == 0 && deleted == 0 }

    /// Adds another commit's counts.
    package static func += (left: inout CommitCounts, right: CommitCounts) {
        left.inserted += right.inserted
        left.updated += right.updated
        left.deleted += right.deleted
    }
}
