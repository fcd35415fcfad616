internal import MailAPI
internal import MailModel
internal import MailStorage

/// What a fresh mailbox list says about unassigned mail, which only owners see (contract §3.0).
///
/// No route tells the account's role, and losing or gaining it leaves no trace in the change feed (contract
/// §9.3). But an owner manages every mailbox: a list with any other level is no owner's. Whether one that could
/// be an owner's is one is asked of the server, when the list changed, and once a day.
enum UnassignedCheck: Hashable {
    /// Nothing points to a change.
    case keep
    /// Ask whether a message of this kind that is here can still be read.
    case probeMessage(MessageID)
    /// Ask whether the catch-all folder has mail now.
    case probeCatchall
    /// It may have become visible; everything is to be listed again.
    case relist

    /// What to do with a list that was just read; `isDaily` at the one pass of a day that looks closer.
    static func decide(_ known: KnownAccess, _ mailboxes: [Mailbox], isDaily: Bool) -> UnassignedCheck {
        // A bootstrap lists everything anyhow.
        guard known.isSynced else { return .keep }
        var levels: [MailboxID: AccessLevel?] = [:]
        for mailbox in mailboxes { levels.updateValue(mailbox.accessLevel, forKey: mailbox.id) }
        let isOwners = isOwnerLike(levels)
        if isOwners, !isOwnerLike(known.levels) { return .relist }
        if let unassigned = known.unassigned {
            // What came by the feed in a moment of ownership says nothing of the mail before it.
            if !known.isUnassignedListed { return isOwners ? .relist : .probeMessage(unassigned) }
            return levels != known.levels || isDaily ? .probeMessage(unassigned) : .keep
        }
        guard isOwners else { return .keep }
        let hasGained = levels.keys.contains { known.levels[$0] == nil }
        if hasGained { return .relist }
        return isDaily ? .probeCatchall : .keep
    }

    /// Whether an owner's list could have these levels.
    static func isOwnerLike(_ levels: [MailboxID: AccessLevel?]) -> Bool { levels.values.allSatisfy { $0 == .manager } }
}

extension SyncEngine {
    /// Reads the mailbox list and follows it: what was lost goes, what was gained is to be listed.
    func readMailboxes(isDaily: Bool) async throws {
        let mailboxes = try await reads.mailboxes()
        let known = try await store.knownAccess()
        let verdict = try await verdict(UnassignedCheck.decide(known, mailboxes, isDaily: isDaily))
        let (changed, gained) = try await store.replaceMailboxes(mailboxes, unassigned: verdict)
        counts += changed
        for mailbox in gained { try await store.beginListing(mailbox) }
    }

    /// Looks at unassigned mail after a round: what came of it, and what may have hidden it.
    func followUnassigned(_ trust: FeedTrust) async throws {
        let known = try await store.knownAccess()
        guard let unassigned = known.unassigned else { return }
        if !known.isUnassignedListed {
            // Someone was made owner while the pass ran. A list that says otherwise is asked again by the next one.
            guard UnassignedCheck.isOwnerLike(known.levels) else { return }
            try await store.beginRelisting(.repair)
            return try await repair()
        }
        // Rows that are hidden from an owner are outdated ones; from one who is an owner no more, they may be these.
        guard trust != .complete || asksAgain else { return }
        asksAgain = false
        switch try await verdict(.probeMessage(unassigned)) {
        case .purge: counts += try await store.purgeUnassigned()
        default: return
        }
    }

    /// Whether a listing of everything that begins now begins as an owner's.
    func seesUnassigned() async throws -> Bool {
        let levels = try await store.knownAccess().levels
        guard !levels.isEmpty, UnassignedCheck.isOwnerLike(levels) else { return false }
        return try await hasUnassigned()
    }

    private func hasUnassigned() async throws -> Bool {
        let page = try await reads.messages(.folder(.catchall), next: nil, limit: 1)
        return page.messages.contains { $0.mailboxID == nil }
    }

    /// Asks the server where the mailbox list does not tell.
    private func verdict(_ check: UnassignedCheck) async throws -> UnassignedVerdict {
        switch check {
        case .keep: return .keep
        case .relist: return .relist(isSeen: try await hasUnassigned())
        case .probeMessage(let id):
            do {
                _ = try await reads.message(id)
                return .keep
            } catch MailAPIError.forbidden("MAILBOX_FORBIDDEN") {
                return .purge
            } catch MailAPIError.notFound {
                // Gone for everyone, which says nothing of the others. The feed will tell, then another is asked for.
                asksAgain = true
                return .keep
            }
        case .probeCatchall: return try await hasUnassigned() ? .relist(isSeen: true) : .keep
        }
    }
}
