package import MailModel

/// Something the state asks the program to do; answers come back as events.
package enum Effect: Sendable, Hashable {
    case loadCounts
    case loadConversations(ListScope, filter: String, limit: Int, generation: Int)
    case loadDrafts
    /// Read a conversation from the cache.
    case loadConversation(ThreadID)
    /// Fetch the bodies of a conversation from the server.
    case fetchBodies(ThreadID)
    case syncNow
    /// Keep a command line for later runs.
    case remember(String)
    /// Change a setting while the program runs: `name=value`.
    case changeSetting(String)
    /// Read the settings file again.
    case reloadSettings
    case quit
    case suspend
    /// Paint every cell again.
    case redraw
    case bell
}
