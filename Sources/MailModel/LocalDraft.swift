/// How a draft that was changed here and elsewhere is put together.
package enum ConflictMode: String, Sendable, Hashable, CaseIterable {
    /// Fields changed on one side only are merged; of text changed on both, both drafts are kept.
    case auto
    /// It waits for the person, with all three versions.
    case manual
    /// As `manual` where somebody sits at the terminal, as `auto` elsewhere.
    case ask
}

/// How far the saving of a draft to the server got.
package enum DraftSaveState: Sendable, Hashable {
    /// Everything that can be saved is, or is about to be for the first time.
    case waiting
    /// A request of it is under way, or was when its process ended.
    case inFlight
    /// Tried without success; tried again.
    case retrying
    /// Waits for the person.
    case blocked(DraftBlockReason)
}

/// Why a draft is not saved to the server until the person does something; its text is safe here.
package enum DraftBlockReason: String, Sendable, Hashable, CaseIterable {
    /// Changed here and elsewhere, and the mode leaves it to the person.
    case conflictUnresolved
    /// The server no longer takes the sign-in, or it may not do this.
    case credentialRefused
    /// The server does not take the draft as it is.
    case refused
}

/// A draft as the server last confirmed it: what both sides of a conflict come from.
package struct ServerDraft: Sendable, Hashable {
    package var id: DraftID
    package var version: Int
    package var content: DraftContent

    package init(id: DraftID, version: Int, content: DraftContent) {
        self.id = id
        self.version = version
        self.content = content
    }
}

/// What a save that may have reached the server was made of.
package struct SentDraft: Sendable, Hashable {
    /// The revision that is saved if it arrived.
    package var revision: Int
    package var content: DraftContent
    /// When the first request of it was made, in milliseconds since 1970.
    package var at: Int64

    package init(revision: Int, content: DraftContent, at: Int64) {
        self.revision = revision
        self.content = content
        self.at = at
    }
}

/// A draft that is written on this machine: a row of `outbox.sqlite`, on the disk with every pause in typing.
package struct LocalDraft: Sendable, Hashable {
    package var id: LocalDraftID
    package var content: DraftContent
    /// Grows with each change of the content here, from 1.
    package var revision: Int
    /// The revision that the server has; 0 for none.
    package var savedRevision: Int
    /// What the server last confirmed; `nil` while it knows nothing of the draft.
    package var server: ServerDraft?
    /// A save whose answer is not here, so that the server may have it or not; `nil` for none.
    package var sent: SentDraft?
    /// What somebody changed it to elsewhere, which is not part of the content yet; `nil` when nothing is known of it.
    package var theirs: ServerDraft?
    package var state: DraftSaveState
    package var conflictMode: ConflictMode
    /// The draft of which this one is the person's side of a conflict; `nil` for all others.
    package var copyOf: LocalDraftID?
    /// Thrown away here; the row stays until the server has thrown it away as well.
    package var isDiscarded: Bool
    /// The earliest time of the next attempt to save it, in milliseconds since 1970; `nil` for at once.
    package var nextAttemptAt: Int64?
    /// How often in a row saving failed.
    package var attempts: Int
    /// A code of ours for the last failure; never the server's words.
    package var lastFailure: String?
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    /// Its files in the order they were added, without removed ones.
    package var files: [DraftFile]

    package init(
        id: LocalDraftID, content: DraftContent, revision: Int = 1, savedRevision: Int = 0,
        server: ServerDraft? = nil, sent: SentDraft? = nil, theirs: ServerDraft? = nil,
        state: DraftSaveState = .waiting, conflictMode: ConflictMode = .auto,
        copyOf: LocalDraftID? = nil, isDiscarded: Bool = false, nextAttemptAt: Int64? = nil, attempts: Int = 0,
        lastFailure: String? = nil, createdAt: Timestamp, updatedAt: Timestamp, files: [DraftFile] = []
    ) {
        self.id = id
        self.content = content
        self.revision = revision
        self.savedRevision = savedRevision
        self.server = server
        self.sent = sent
        self.theirs = theirs
        self.state = state
        self.conflictMode = conflictMode
        self.copyOf = copyOf
        self.isDiscarded = isDiscarded
        self.nextAttemptAt = nextAttemptAt
        self.attempts = attempts
        self.lastFailure = lastFailure
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.files = files
    }

    /// Whether the server lacks something of it.
    package var isUnsaved: Bool { savedRevision < revision }

    /// Whether it was changed elsewhere in a way that is not part of the content yet.
    package var isChangedElsewhere: Bool { theirs != nil }

    /// Whether nobody wrote anything yet, so that the server need not know of it.
    package var isBlank: Bool {
        let fields = [content.to, content.cc, content.bcc, content.subject, content.text, content.html]
        return files.isEmpty && fields.allSatisfy(\.isEmpty)
    }
}

/// The identifier of a file of a draft on this machine: a UUIDv7.
package struct DraftFileID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// A new identifier of a moment, in milliseconds since 1970, and of random bits.
    package init(milliseconds: Int64, random: (UInt64, UInt64)) {
        rawValue = UUIDv7.text(milliseconds: milliseconds, random: random)
    }
}

/// How far the upload of a file got.
package enum UploadState: Sendable, Hashable {
    case waiting
    /// A request of it is under way, or was when its process ended.
    case inFlight
    /// Tried without success; tried again after a look at what the server has.
    case retrying
    /// The server does not take it, by a code of ours.
    case refused(String)
    /// The server has it.
    case done(AttachmentID)
}

/// A file of a draft: copied when it was added, so that the original may go.
package struct DraftFile: Sendable, Hashable {
    package var id: DraftFileID
    /// The last part of its path, as the recipient sees it.
    package var filename: String
    package var contentType: String
    package var sizeBytes: Int
    /// SHA-256 in hexadecimal letters, which names its copy; `nil` for one that only the server has.
    package var sha256: String?
    package var state: UploadState
    /// A code of ours for the last failure; `nil` for none.
    package var lastFailure: String?

    package init(
        id: DraftFileID, filename: String, contentType: String, sizeBytes: Int, sha256: String?,
        state: UploadState = .waiting, lastFailure: String? = nil
    ) {
        self.id = id
        self.filename = filename
        self.contentType = contentType
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.state = state
        self.lastFailure = lastFailure
    }

    /// What the server calls it; `nil` while the server does not have it.
    package var attachment: AttachmentID? {
        if case .done(let attachment) = state { attachment } else { nil }
    }
}
