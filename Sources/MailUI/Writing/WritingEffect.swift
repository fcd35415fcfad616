package import MailModel

/// Something about writing that the state asks the program to do; numbers name the composer that asks.
package enum WritingEffect: Sendable, Hashable {
    /// Read a message to be answered or passed on, with its text.
    case loadOriginal(Int, MessageID)
    case create(Int, DraftContent, ConflictMode)
    case save(Int, LocalDraftID, DraftContent)
    /// Open a draft of this machine.
    case open(Int, LocalDraftID)
    /// Take a draft of the server for writing here.
    case take(Int, Draft)
    case discard(LocalDraftID)
    /// Take a draft of the server and throw it away.
    case discardElsewhere(Draft)
    /// Read the drafts of this machine, and the last sends.
    case loadDrafts
    /// Read addresses from mail.
    case loadAddresses
    /// Ask the person's program for addresses that begin with a text.
    case askAddresses(String)
    /// Have the text changed in another program; the context is shown below it.
    case edit(Int, LocalDraftID, DraftContent, context: String)
    /// Add the files that a path means.
    case attach(Int, LocalDraftID, path: String)
    case detach(Int, LocalDraftID, DraftFileID)
    case setMode(Int, LocalDraftID, ConflictMode)
    /// End a conflict by the person's word.
    case resolve(Int, LocalDraftID, ConflictResolution)
    /// Queue a draft to be sent, in the conversation of a thread or in a new one.
    case queueSend(Int, LocalDraftID, thread: ThreadID?)
    /// Take a send back, and open its draft.
    case takeBack(Int, SendID)
    /// Send without the rest of the delay; before the program ends.
    case sendNow(SendID)
    /// Send what waits for the person, or may have arrived.
    case sendAgain(SendID)
    /// Make a draft of what was to be sent.
    case keepAsDraft(SendID)
    /// Take the person's word that it was sent.
    case declareSent(SendID)
    /// The draft is no longer being written here.
    case closed(LocalDraftID)
    /// Write the text into a file.
    case saveAs(path: String, DraftContent)
}

/// What a person says to a draft that was changed here and elsewhere.
package enum ConflictResolution: Sendable, Hashable {
    case mine, theirs
    /// What they made of both.
    case merged(DraftContent)
}

/// How far the upload of a file is, in bytes.
package struct UploadProgress: Sendable, Hashable {
    package var sent: Int
    package var total: Int
    /// When it began, in milliseconds since 1970.
    package var since: Int64
    /// When this was so, in milliseconds since 1970.
    package var at: Int64

    package init(sent: Int, total: Int, since: Int64, at: Int64) {
        (self.sent, self.total, self.since, self.at) = (sent, total, since, at)
    }
}

/// What came of it.
package enum WritingEvent: Sendable, Hashable {
    /// The message; its text may be missing. `nil` when it is not here at all.
    case originalLoaded(Int, ConversationMessage?)
    /// The draft is on the disk as it was asked for.
    case saved(Int, LocalDraft)
    /// The text is not on the disk; the sentence says why.
    case notSaved(Int, String)
    /// A draft, with what it answers or passes on where that is here.
    case opened(Int, LocalDraft, MessageDetail?)
    case notOpened(Int, String)
    case draftsLoaded([LocalDraft], [SendEntry])
    case addressesLoaded([KnownAddress])
    case addressesFound(String, [KnownAddress])
    /// What another program made of the text, and paths of files that it named.
    case edited(Int, DraftContent, files: [String])
    /// The other program's work could not be taken; the sentence says why and where it is.
    case notEdited(Int, String)
    /// The draft with other files, and what is to be told.
    case filesChanged(Int, LocalDraft, String?)
    case notAttached(Int, String)
    /// The draft after its conflict.
    case resolved(Int, LocalDraft)
    /// How much of a file is with the server; `nil` when its upload is over.
    case uploading(DraftFileID, UploadProgress?)
    case sendQueued(Int, Send)
    case notQueued(Int, String)
    /// A send was taken back.
    case takenBack(Int, SendID, LocalDraft, MessageDetail?)
    /// It was too late to take a send back; the sentence says so.
    case notTakenBack(SendID, String)
    case configured(WritingSettings)
    /// So many drafts were being written when an earlier run was cut off.
    case unfinished(Int)
    /// The text is in a file, which the sentence names.
    case savedAs(String)
}
