extension ActionTable {
    private static let mail: Set<ActionContext> = [.list, .reader]

    /// What begins a mail, and what is done with one before it is sent.
    static let writing: [Action] = beginning + reviewing + fields

    private static let beginning: [Action] = [
        Action(
            .compose, "write", ["c", "m"], [.list, .reader, .combined],
            "Write a mail, to an address or a mailto: link if one is given.",
            synonyms: ["compose", "new mail", "mailto", "mail", "write"], argument: .recipients, hinted: true),
        Action(
            .reply, "reply", ["r"], mail, "Answer the sender.", synonyms: ["answer", "respond"], hinted: true),
        Action(
            .replyAll, "reply all", ["R"], mail, "Answer everybody.",
            synonyms: ["group reply", "answer all", "wide reply"]),
        Action(
            .forward, "forward", ["f"], mail, "Pass the message on, with its files.",
            synonyms: ["pass on", "resend", "bounce"]),
    ]

    private static let reviewing: [Action] = [
        Action(
            .send, "send", ["y"], [.review], "Send it; for some seconds that can be taken back.",
            synonyms: ["deliver", "post"], hinted: true),
        Action(.edit, "edit", ["e", "Enter"], [.review], "Write on.", synonyms: ["editor", "change"], hinted: true),
        Action(
            .attach, "attach", ["a"], [.review], "Add files, by a path that may have * and ?.",
            synonyms: ["add file", "enclose", "upload"], argument: .path, hinted: true),
        Action(
            .detach, "detach", ["d", "D"], [.review], "Take the selected file off.",
            synonyms: ["remove file", "unattach"], hinted: true),
        Action(
            .keep, "keep", ["p", "P", "q", "Esc"], [.review], "Keep it as a draft and leave.",
            synonyms: ["postpone", "save draft", "later", "back"], hinted: true),
        Action(
            .preview, "preview", ["v"], [.review], "Show it as it will be read, with what the server adds.",
            synonyms: ["view", "look"], hinted: true),
        Action(
            .discard, "discard", ["n"], [.review], "Throw it away; for a minute that can be undone.",
            synonyms: ["abort", "cancel", "delete draft"], hinted: true),
        Action(
            .originals, "original's files", ["o"], [.review], "Pass the original on with its files, or without.",
            synonyms: ["include attachments"]),
        Action(
            .conflicts, "conflicts", ["C"], [.review], "What happens when it is changed elsewhere meanwhile.",
            synonyms: ["conflict mode", "merge"]),
        Action(
            .saveAs, "save as", ["S"], [.review], "Write the text into a file.",
            synonyms: ["export", "write to file", "copy"], argument: .path),
    ]

    private static let fields: [Action] = [
        Action(.editTo, "to", ["t"], [.review], "Change whom it goes to.", synonyms: ["recipients", "to"]),
        Action(.editCc, "cc", ["c"], [.review], "Change who gets a copy.", synonyms: ["copies", "cc"]),
        Action(.editBcc, "bcc", ["b"], [.review], "Change who gets a hidden copy.", synonyms: ["blind copies", "bcc"]),
        Action(.editSubject, "subject", ["s"], [.review], "Change the subject.", synonyms: ["topic", "subject"]),
        Action(
            .editFrom, "from", ["F"], [.review], "Change the address it is sent from.", synonyms: ["sender", "from"]),
    ]
}
