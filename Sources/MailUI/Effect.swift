package import MailModel

/// Something the state asks the program to do; answers come back as events.
package enum Effect: Sendable, Hashable {
    case loadCounts
    case loadConversations(ListScope, filter: String, limit: Int, generation: Int)
    /// Ask the server for what the cache may not know of.
    case searchServer(ListScope, filter: String)
    case loadDrafts
    /// Read a conversation from the cache.
    case loadConversation(ThreadID)
    /// Fetch the bodies of a conversation from the server; those named one by one before all others.
    case fetchBodies(ThreadID, first: [MessageID] = [])
    /// Keep a command line for later runs.
    case remember(String)
    /// Change a setting while the program runs: `name=value`.
    case changeSetting(String)
    /// Read the settings file again.
    case reloadSettings
    /// Make files of something.
    case save(FileRequest)
    /// Fetch an attachment and show it with another program.
    case openAttachment(MessageID, Attachment)
    /// Run a command of the person's shell with a message as its input.
    case pipe(MessageID, command: String)
    /// Find out what a path may go on with.
    case completePath(String)
    /// End the work on files.
    case cancelFiles
    /// Fetch a picture and draw it.
    case drawPicture(PictureRequest)
    /// Fetch a message's HTML with the addresses of its pictures on other servers.
    case loadRemoteImages(MessageID)
    /// Let images of other servers load in all mail of a message's sender.
    case trustSender(MessageID)
    case syncNow
    /// Something for one account, which may not be the one shown.
    indirect case of(String, Effect)
    /// From now on effects are about this account.
    case accountShown(String)
    /// Read the beginning of the account's inbox, or what a filter means there, for the inbox of all accounts.
    case loadCombined(filter: String = "", limit: Int, generation: Int)
    /// Sign a person in.
    case beginSignIn(SignInRequest)
    /// Keep a sign-in that sees other mailboxes than those here: as the same person's, or as another's.
    case finishSignIn(isSamePerson: Bool)
    /// End the try to sign in; nothing is changed.
    case cancelSignIn
    /// Leave for the demo.
    case openDemo
    /// Find the conversations of a list that a filter means, for the selection.
    case findMatches(ListScope, filter: String, limit: Int)
    /// Queue what a person did.
    case triage(TriageOrder)
    /// Undo the newest order that is not undone; the number names the answer.
    case undo(Int)
    /// Read anew all that is shown.
    case settle(SettleQuestion)
    /// Read the outbox's lists.
    case loadOutbox
    case retryOperation(OperationID)
    case dropOperation(OperationID)
    /// Something about writing mail.
    case writing(WritingEffect)
    /// Tell when some time is over.
    case wake(timer: Int, milliseconds: Int)
    /// Show an address of the web or of mail in the program for it.
    case openAddress(String)
    /// Put a text into the terminal's clipboard.
    case copy(String)
    case quit
    case suspend
    /// Paint every cell again.
    case redraw
    case bell
    /// Take the mouse, or leave it to the terminal.
    case mouse(Bool)
}
