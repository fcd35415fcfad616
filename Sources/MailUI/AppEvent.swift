package import MailFilter
package import MailModel
package import TerminalUI

/// Everything that can happen to the program, as values.
package enum AppEvent: Sendable, Hashable {
    /// The program has started; answers the first loads.
    case started
    case input(InputEvent)
    case resized(Size)
    case countsLoaded([MailboxCounts])
    /// The horizon tells the messages that were there from those that come later.
    case conversationsLoaded(
        ListScope, generation: Int, rows: [ConversationRow], hasMore: Bool, horizon: Int64 = 0)
    /// How much of the mail searches can find.
    case searchCovered(SearchCoverage)
    /// What the server found with a filter, and how many of its hits are not here yet.
    case serverSearched(ListScope, filter: String, rows: [ConversationRow], unknown: Int)
    /// The server was not asked; the sentence says why.
    case serverSearchFailed(ListScope, filter: String, String)
    case draftsLoaded([Draft])
    case conversationLoaded(ThreadID, [ConversationMessage])
    /// A body could not be had; the sentence says why.
    case bodyFailed(MessageID, String)
    /// No body of the thread could be had; the sentence says why.
    case bodiesFailed(ThreadID, String)
    case pictureDrawn(PictureRequest, CellPicture)
    /// A picture could not be had or drawn; the sentence says why.
    case pictureFailed(PictureRequest, String)
    /// The terminal does not have these pictures any more.
    case picturesLost(Set<UInt32>)
    /// Pictures are drawn in another way from now on.
    case pictureFormChanged
    /// No picture can be drawn here; the sentence says why.
    case picturesUnavailable(String)
    /// A message's HTML with the addresses of its pictures on other servers.
    case remoteImagesLoaded(MessageID, MessageHTML)
    case remoteImagesFailed(MessageID, String)
    case syncStarted
    case syncProgress(SyncProgress)
    case syncFinished
    case syncFailed(String)
    /// The cache changed, by this process or another.
    case storeChanged(StoreChange)
    case clock(secondsSinceEpoch: Int64, utcOffsetSeconds: Int)
    /// The offsets of the person's clocks over the years.
    case zone(ZoneOffsets)
    case offline(Bool)
    /// Command lines of earlier runs, the newest last.
    case historyLoaded([String])
    /// Other keys or settings are in force from now on.
    case configured(KeyMap, [SettingChoice])
    /// How far the work on files has come; `nil` when it is over.
    case filesProgressed(FileProgress?)
    /// The work on files is done, with a sentence about it and the directory that they went into.
    case filesSaved(directory: String?, String)
    /// A file of this name is there, and the request did not say to replace it.
    case fileExists(FileRequest)
    /// Nothing was saved; the sentence says why.
    case fileFailed(FileRequest, String)
    /// What a path may become: the text as far as it is certain, and what may follow.
    case pathCompleted(String, text: String, candidates: [String])
    /// When a pass last went well, as another run or another process has noted it; ends this one's try.
    case syncedAt(secondsSinceEpoch: Int64?)
    /// Something that concerns one account, which may not be the one shown.
    indirect case of(String, AppEvent)
    /// The accounts there are, and which of them is shown when the one shown is not among them.
    case accounts([AccountEntry], shown: String)
    /// Another person has signed in to the account: nothing of the other's stays on the screen.
    case accountForgotten(String)
    /// The beginning of the account's inbox, for the inbox of all accounts.
    ///
    /// The horizon tells the messages that were there from those that come later.
    case combinedLoaded([ConversationRow], hasMore: Bool, horizon: Int64 = 0, generation: Int)
    /// Whether the server no longer accepts the sign-in.
    case signInEnded(Bool)
    /// When the person approved the sign-in, by this machine's clock; `nil` where nobody did.
    case signedInAt(seconds: Int64?)
    /// What came of a try to sign in.
    case signIn(SignInEvent, attempt: Int)
    /// The conversations of a list that a filter means, for the selection.
    case matchesFound(ListScope, filter: String, [ThreadID])
    /// An order is in the outbox, and in what the cache answers from now on.
    case triageQueued(Int, BatchReceipt)
    /// An order could not be queued, or nothing could be undone; the sentence says why.
    case triageFailed(Int, String)
    /// What was undone; `nil` when there was nothing.
    case undone(Int, UndoReceipt?)
    /// What the cache shows now; `nil` when it could not be read.
    case settled(SettleAnswer?)
    /// What came of something about writing mail.
    case writing(WritingEvent)
    case outboxCounted(OutboxCounts)
    case outboxLoaded([OutboxEntry], [OutboxEnding])
    /// The outbox's lists cannot be read; the sentence says why.
    case outboxFailed(String)
    /// Something of what waits is otherwise than it was read.
    case outboxChanged
    /// A time that was asked for is over.
    case woke(Int)
    /// What the settings say of acting on mail.
    case triageConfigured(TriageSettings)
    /// A sentence for the person, shown until the next key.
    case notice(String)

    /// How far a synchronisation has come.
    package struct SyncProgress: Sendable, Hashable {
        package var done: Int
        package var total: Int?

        package init(done: Int, total: Int? = nil) {
            self.done = done
            self.total = total
        }
    }
}
