internal import MIME
internal import Platform
internal import SQLite

/// What an import did.
package struct ImportReport: Sendable, Hashable {
    /// The path as it was given.
    package var path: String
    /// How many messages came in.
    package internal(set) var imported = 0
    /// How many messages were there already, by their Message-ID.
    package internal(set) var duplicates = 0
    /// How many files of a folder hold no mail.
    package internal(set) var passedOver = 0
    /// Whether an earlier run had imported the path, so that this one did not.
    package internal(set) var isOld = false

    /// The report as one sentence.
    package var sentence: String {
        if isOld { return "\(path): imported before." }
        let known = duplicates == 0 ? "" : ", \(duplicates) there already"
        let passed =
            passedOver == 0 ? "" : passedOver == 1 ? ", 1 file passed over" : ", \(passedOver) files passed over"
        return "\(path): \(imported) imported\(known)\(passed)."
    }
}

/// Imports mail of every supported form.
struct MailImport {
    /// The deepest folder looked into.
    private static let depthMax = 32

    private let address: String
    private let store: Store
    private var report: ImportReport

    /// Imports a path into the mailbox of an address.
    ///
    /// - Throws: `ServerError.badImport` or `SQLiteError`.
    static func run(_ path: String, to address: String, _ store: Store) throws -> ImportReport {
        guard Files.exists(path) else { throw ServerError.badImport(path: path, reason: "there is no such file.") }
        _ = try store.makeMailbox(address)
        var run = MailImport(address: address, store: store, report: ImportReport(path: path))
        if Files.isDirectory(path) {
            try run.folder(path, depth: 0)
        } else if try !run.file(path, isSurelyMail: false) {
            throw ServerError.badImport(path: path, reason: "it is no mail.")
        }
        return run.report
    }

    /// A folder of messages, or a Maildir: everything below it but a Maildir's unfinished `tmp`.
    private mutating func folder(_ path: String, depth: Int, isMaildirPart: Bool = false) throws {
        guard depth < MailImport.depthMax else { return }
        let names = Files.names(in: path)
        let isMaildir = names.contains("cur") && names.contains("new")
        for name in names where !(isMaildir && name == "tmp") {
            let child = path + "/" + name
            if Files.isDirectory(child) {
                try folder(child, depth: depth + 1, isMaildirPart: isMaildir && (name == "cur" || name == "new"))
            } else if try !file(child, isSurelyMail: isMaildirPart) {
                report.passedOver += 1
            }
        }
    }

    /// One file; answers whether it holds mail.
    private mutating func file(_ path: String, isSurelyMail: Bool) throws -> Bool {
        if path.hasSuffix(".jsonl") {
            let mailbox = try store.makeMailbox(address)
            report.imported += try PayloadImport.run(path, mailbox: mailbox, store)
            return true
        }
        guard let bytes = try? Files.read(path) else {
            throw ServerError.badImport(path: path, reason: "the file cannot be read.")
        }
        let isNamed = [".eml", ".mbox", ".mbx"].contains { path.lowercased().hasSuffix($0) }
        guard isSurelyMail || isNamed || MailShape.looksLikeMail(bytes) else { return false }
        for message in Mbox.messages(bytes) {
            guard let mail = MIMEParser.parse(message) else { continue }
            if try store.deliver(mail, to: address) == nil {
                report.duplicates += 1
            } else {
                report.imported += 1
            }
        }
        return true
    }
}

extension Store {
    /// Runs a step unless an earlier run of this file's server did; all of it is kept, or none.
    ///
    /// Answers whether it ran.
    ///
    /// - Throws: what `body` throws.
    @discardableResult
    func once(_ key: String, _ body: () throws -> Void) throws -> Bool {
        try database.run("CREATE TABLE IF NOT EXISTS done(key TEXT PRIMARY KEY)")
        guard try text("SELECT key FROM done WHERE key = ?", key) == nil else { return false }
        try database.transaction {
            try body()
            try run("INSERT INTO done VALUES(?)", key)
        }
        return true
    }
}
