extension CommandTable {
    private static let writing = [
        CommandForm.Option("--from", value: "ADDRESS", "The address to send from; by default the first that may send."),
        CommandForm.Option("--to", value: "ADDRESSES", "Recipients, parted by commas.", repeatable: true),
        CommandForm.Option("--cc", value: "ADDRESSES", "Recipients of a copy.", repeatable: true),
        CommandForm.Option("--bcc", value: "ADDRESSES", "Recipients that the others do not see.", repeatable: true),
        CommandForm.Option("--subject -s", value: "TEXT", "The subject. That of an answer is made by the server."),
        CommandForm.Option("--attach -a", value: "FILE", "A file to go along.", repeatable: true),
        CommandForm.Option("--body", value: "FILE", "A file with the text; - is standard input."),
        CommandForm.Option(
            "--message", value: "FILE", "A file with headers, an empty line and the text; - is standard input."),
        CommandForm.Option("--reply", value: "MESSAGE_ID", "Answer the sender of a message."),
        CommandForm.Option("--reply-all", value: "MESSAGE_ID", "Answer everybody in a message."),
        CommandForm.Option("--forward", value: "MESSAGE_ID", "Pass a message on, with its files."),
        CommandForm.Option("--without-files", "With --forward: leave its files out."),
        CommandForm.Option(
            "--account", value: "LABEL", "The account of this name; not needed while there is only one."),
    ]

    static let compose = CommandForm(
        "compose", "[MAILTO]", writing, "Open Herald with a new mail, or an answer, to be written.",
        [
            "MAILTO is an address as pages have it, such as “mailto:ann@example.org?subject=Hi”. Only recipients, subject "
                + "and text are taken from it, never files."
        ])

    static let send = CommandForm(
        "send", "",
        writing + [
            CommandForm.Option("--draft", "Keep it as a draft, on the server as well, instead of sending it."),
            CommandForm.Option("--offline", "Only queue it; a later pass sends it."),
            CommandForm.Option(
                "--json", "Print JSON with a version; control and bidirectional characters are escaped."),
        ],
        "Send one mail without a terminal; the text is read from standard input.",
        [
            "A file of --message has the headers From, To, Cc, Bcc, Subject and Attach, of which all can be left out; the "
                + "options add to them. What the server would refuse is told before anything is sent, with code 65.",
            "The code is 0 when the Sent copy is known, 80 when the server refused it, and 79 when it waits: for the "
                + "server, for somebody who looks at it (held), or because nobody knows whether it was sent (unknown). It is "
                + "never sent twice. Until its Sent copy is known, the text stays in the drafts.",
        ])
}
