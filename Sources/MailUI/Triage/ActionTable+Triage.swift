extension ActionTable {
    private static let mail: Set<ActionContext> = [.list, .reader, .combined]
    private static let lists: Set<ActionContext> = [.list, .combined]

    /// What changes mail: what people do all day has the keys that most programs agree on.
    static let triage: [Action] = acting + selecting

    private static let acting: [Action] = [
        Action(
            .archive, "archive", ["e", "a"], mail, "Archive; in the archive, back to the inbox.",
            synonyms: ["file", "put away", "done"], hinted: true),
        Action(
            .trash, "trash", ["d", "#", "Del"], mail, "Move to the trash; in the trash, back to where it was.",
            synonyms: ["delete", "remove", "throw away", "bin"], hinted: true),
        Action(
            .toggleStar, "star", ["s", "F", "*"], mail, "Star, or take the star away.",
            synonyms: ["star", "unstar", "flag", "unflag", "favourite", "important", "mark"]),
        Action(
            .toggleRead, "read", ["U"], mail, "Mark as unread, or as read.",
            synonyms: ["unread", "unseen", "seen", "new", "mark"]),
        Action(
            .markRead, "mark read", ["I"], mail, "Mark as read.", synonyms: ["seen", "mark all read", "catch up"]),
        Action(
            .unarchive, "unarchive", [], mail, "Take out of the archive.",
            synonyms: ["move to inbox", "back to inbox"]),
        Action(
            .restore, "restore", [], mail, "Take out of the trash.",
            synonyms: ["undelete", "untrash", "recover", "move to inbox"]),
        Action(
            .undo, "undo", ["u", "C-_"], [.list, .reader, .outbox, .combined],
            "Undo what was done last; again, what was before.",
            synonyms: ["revert", "take back", "undelete", "mistake"]),
    ]

    private static let selecting: [Action] = [
        Action(
            .select, "select", ["x", "t"], lists, "Select the conversation, or no longer.",
            synonyms: ["tag", "mark", "pick", "tick", "bulk"]),
        Action(
            .selectDown, "select and on", ["Space"], lists, "Select the conversation, or no longer, and go on.",
            synonyms: ["tag", "mark", "pick"]),
        Action(
            .selectRange, "select range", ["V"], lists, "Select from here on as you move; again, to end it.",
            synonyms: ["visual", "several", "tag"]),
        Action(
            .selectAll, "select all", ["C-a"], lists, "Select every conversation of the list.",
            synonyms: ["everything", "tag all", "mark all"]),
        Action(
            .selectMatching, "select by filter", ["T", "+"], lists,
            "Select what a filter means, as in the list's filter.",
            synonyms: ["tag pattern", "pattern", "by words", "like"], argument: .words),
        Action(
            .invertSelection, "invert selection", ["~"], lists, "Select what is not selected, and only that.",
            synonyms: ["others", "reverse"]),
        Action(
            .clearSelection, "select nothing", ["X"], lists, "Select nothing.",
            synonyms: ["unselect", "deselect", "untag", "none"]),
    ]

    /// What waits to be sent.
    static let queue: [Action] = [
        Action(
            .outbox, "outbox", ["go"], [.list, .reader, .combined], "Show what waits to be sent, and what was refused.",
            synonyms: ["queue", "pending", "journal", "refused", "failed"]),
        Action(
            .retry, "try again", ["Enter"], [.outbox], "Try it again now; of mail, send it.",
            synonyms: ["resend", "unblock", "send again"],
            hinted: true),
        Action(
            .drop, "drop", ["d", "#", "Del"], [.outbox], "Give it up, asked once; of mail, make it a draft again.",
            synonyms: ["discard", "delete", "remove", "cancel"], hinted: true),
        Action(
            .declareSent, "was sent", ["Y"], [.outbox], "Say that mail of which that is unknown was sent.",
            synonyms: ["mark sent", "arrived"]),
    ]
}
