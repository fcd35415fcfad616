internal import Glibc
internal import MailCompose
internal import MailModel
internal import MailStorage
internal import MailSync
internal import Platform

/// Makes what a draft holds of the words of a command line.
struct DraftMaking {
    let options: Command.WriteOptions
    let account: Account

    /// What a command line came to.
    struct Made {
        var content: DraftContent
        /// Files to attach, by their paths.
        var files: [String]
        /// What is answered or passed on; `nil` for neither.
        var original: MessageDetail?
        /// The person's mailboxes.
        var mailboxes: [Mailbox]
    }

    /// Reads what is to be read; fetches the original when it is not here.
    ///
    /// - Throws: `CommandFailure`, `SyncError`, `StoreError`.
    func run() async throws -> Made {
        let reader = try await Program.filledCache(of: account)
        let mailboxes = try await reader.mailboxes()
        let original = try await original()
        var text = DraftText(content: try start(original, mailboxes))
        if let path = options.message {
            do {
                text = try DraftText.read(try DraftMaking.text(path), former: text.content)
            } catch let fault as DraftTextFault {
                throw CommandFailure(fault.message, .badInput)
            }
        } else if let path = options.body {
            text.content.text = WebText.plainLines(try DraftMaking.text(path))
        }
        try override(&text.content, mailboxes)
        return Made(
            content: text.content, files: text.files + options.files, original: original, mailboxes: mailboxes)
    }

    private func start(_ original: MessageDetail?, _ mailboxes: [Mailbox]) throws(CommandFailure) -> DraftContent {
        if let original {
            switch options.origin {
            case .reply(_, let isToAll):
                return NewDraft.reply(to: original, isToAll: isToAll, mailboxes: mailboxes)
            case .forward(_, let withFiles):
                var content = NewDraft.forward(original, mailboxes: mailboxes)
                content.origin = .forward(of: original.summary.id, withFiles: withFiles)
                return content
            case .new: break
            }
        }
        let empty = NewDraft.empty(mailboxes: mailboxes)
        guard let address = options.mailto, var content = MailtoURL.content(address) else { return empty }
        (content.from, content.mailbox) = (empty.from, empty.mailbox)
        return content
    }

    private func override(_ content: inout DraftContent, _ mailboxes: [Mailbox]) throws(CommandFailure) {
        if let from = options.from {
            content.from = AddressList(from).addresses.first ?? from
            content.mailbox = nil
        }
        let senders = NewDraft.senders(mailboxes)
        if content.mailbox == nil {
            content.mailbox = senders.first { $0.address.lowercased() == content.from.lowercased() }?.id
        }
        if !options.to.isEmpty { content.to = joined(options.origin == .new ? content.to : "", options.to) }
        if !options.cc.isEmpty { content.cc = joined(content.cc, options.cc) }
        if !options.bcc.isEmpty { content.bcc = joined(content.bcc, options.bcc) }
        if let subject = options.subject { content.subject = subject }
    }

    private func joined(_ some: String, _ more: [String]) -> String {
        ([some] + more).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The message that is answered or passed on, with its text.
    private func original() async throws -> MessageDetail? {
        let id: String
        switch options.origin {
        case .new: return nil
        case .reply(let message, _), .forward(let message, _): id = message
        }
        let show = ShowCommand(options: Command.ShowOptions(id: id, offline: options.isOffline), account: account)
        guard let detail = try await show.load().detail else {
            throw CommandFailure("The text of this message was not fetched yet. Try without --offline.", .badInput)
        }
        return detail
    }

    /// The most bytes of a file with a text: more than the server takes in any case.
    private static let bytesMax = 1_048_576

    /// The text of a file, or of standard input for `-`.
    private static func text(_ path: String) throws(CommandFailure) -> String {
        let descriptor = path == "-" ? 0 : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("The file with the text cannot be read.", .badInput) }
        defer { if descriptor > 0 { close(descriptor) } }
        if path == "-", isatty(0) == 1 { Output.failure("The text is read from here; end it with C-d.") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandFailure("The file with the text cannot be read.", .badInput) }
            bytes += buffer[..<count]
            if bytes.count > bytesMax { throw CommandFailure("The text is longer than the server takes.", .badInput) }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("The text is not UTF-8. Convert it first, as with iconv.", .badInput)
        }
        return text
    }
}
