internal import MailCompose
internal import MailModel

extension Command {
    /// What a mail that is begun on the command line holds.
    struct WriteOptions: Hashable, Sendable {
        /// What it begins with.
        enum Origin: Hashable, Sendable {
            case new
            case reply(String, isToAll: Bool)
            case forward(String, withFiles: Bool)
        }

        var origin = Origin.new
        var from: String?
        var to: [String] = []
        var cc: [String] = []
        var bcc: [String] = []
        var subject: String?
        /// A file with the text; `-` for standard input, `nil` for none.
        var body: String?
        /// A file with headers and text; `-` for standard input, `nil` for none.
        var message: String?
        var files: [String] = []
        /// A `mailto:` address; `nil` for none.
        var mailto: String?
        /// Keep it as a draft instead of sending it.
        var isDraft = false
        /// Only queue it; a later pass sends it.
        var isOffline = false
        var json = false
        /// The label the account must have; `nil` means whichever is set up.
        var account: String?
    }
}

extension CommandParser {
    /// The words after `send`.
    mutating func send() throws(CommandFailure) -> Command.WriteOptions {
        var options = Command.WriteOptions()
        while let word = next() {
            if try write(word, &options) { continue }
            switch word {
            case "--draft": options.isDraft = true
            case "--offline": options.isOffline = true
            case "--json": options.json = true
            default: throw unknown(word)
            }
        }
        try CommandParser.check(options)
        // The text of a mail that is sent comes from a pipe, as `mail` and `sendmail` read it.
        if options.body == nil, options.message == nil { options.body = "-" }
        return options
    }

    /// The words after `compose`.
    mutating func compose() throws(CommandFailure) -> Command.WriteOptions {
        var options = Command.WriteOptions()
        while let word = next() {
            if try write(word, &options) { continue }
            guard options.mailto == nil, word.lowercased().hasPrefix("mailto:") else { throw unknown(word) }
            guard MailtoURL.content(word) != nil else {
                throw CommandParser.usage("The mailto: address is not well formed.")
            }
            options.mailto = word
        }
        if options.mailto != nil, options.origin != .new {
            throw CommandParser.usage("An answer has its recipients. Leave out the mailto: address.")
        }
        try CommandParser.check(options)
        return options
    }

    /// Takes a word that both commands have; `false` for another one.
    private mutating func write(_ word: String, _ options: inout Command.WriteOptions) throws(CommandFailure) -> Bool {
        switch word {
        case "--from": options.from = try value(word)
        case "--to": options.to.append(try value(word))
        case "--cc": options.cc.append(try value(word))
        case "--bcc": options.bcc.append(try value(word))
        case "--subject", "-s": options.subject = try value(word)
        case "--attach", "-a": options.files.append(try value(word))
        case "--body": options.body = try value(word)
        case "--message": options.message = try value(word)
        case "--account": options.account = try value(word)
        case "--reply": try begin(.reply(try value(word), isToAll: false), &options)
        case "--reply-all": try begin(.reply(try value(word), isToAll: true), &options)
        case "--forward": try begin(.forward(try value(word), withFiles: true), &options)
        case "--without-files":
            guard case .forward(let id, _) = options.origin else {
                throw CommandParser.usage("--without-files comes after --forward.")
            }
            options.origin = .forward(id, withFiles: false)
        default: return false
        }
        return true
    }

    private func begin(
        _ origin: Command.WriteOptions.Origin, _ options: inout Command.WriteOptions
    ) throws(CommandFailure) {
        guard options.origin == .new else {
            throw CommandParser.usage("Choose one of --reply, --reply-all and --forward.")
        }
        options.origin = origin
    }

    private static func check(_ options: Command.WriteOptions) throws(CommandFailure) {
        if options.body != nil, options.message != nil {
            throw usage("--message has the text with the headers. Leave out --body.")
        }
        if case .reply = options.origin, options.subject != nil {
            throw usage("The server makes the subject of an answer. Leave out --subject.")
        }
    }
}
