internal import MIME
internal import Platform
internal import SQLite

/// Imports mail of every supported form.
enum MailImport {
    /// The deepest folder looked into.
    private static let depthMax = 32

    /// Imports a path into the mailbox of an address.
    ///
    /// - Throws: `ServerError.badImport` or `SQLiteError`.
    static func run(_ path: String, to address: String, _ store: Store) throws {
        guard Files.exists(path) else { throw ServerError.badImport(path: path, reason: "there is no such file.") }
        let mailbox = try store.makeMailbox(address)
        if Files.isDirectory(path) {
            try folder(path, address, store, depth: 0)
        } else if path.hasSuffix(".jsonl") {
            _ = try PayloadImport.run(path, mailbox: mailbox, store)
        } else {
            guard let bytes = try? Files.read(path) else {
                throw ServerError.badImport(path: path, reason: "the file cannot be read.")
            }
            try file(bytes, address, store)
        }
    }

    /// A folder of messages, or a Maildir: everything below it but a Maildir's unfinished `tmp`.
    private static func folder(_ path: String, _ address: String, _ store: Store, depth: Int) throws {
        guard depth < depthMax else { return }
        let names = Files.names(in: path)
        let isMaildir = names.contains("cur") && names.contains("new")
        for name in names where !(isMaildir && name == "tmp") {
            let child = path + "/" + name
            if Files.isDirectory(child) {
                try folder(child, address, store, depth: depth + 1)
            } else if let bytes = try? Files.read(child) {
                try file(bytes, address, store)
            }
        }
    }

    private static func file(_ bytes: [UInt8], _ address: String, _ store: Store) throws(SQLiteError) {
        for message in Mbox.messages(bytes) {
            guard let mail = MIMEParser.parse(message) else { continue }
            try store.deliver(mail, to: address)
        }
    }
}

/// The mbox format: messages after lines that begin with `From `.
package enum Mbox {
    private static let mark = Array("From ".utf8)

    /// The messages of an mbox; any other file is one message.
    package static func messages(_ bytes: [UInt8]) -> [[UInt8]] {
        guard ByteSearch.starts(bytes, at: 0, with: mark) else { return [bytes] }
        var messages: [[UInt8]] = []
        var message: [UInt8] = []
        var isBlankBefore = true
        var index = 0
        while index < bytes.count {
            let end = bytes[index...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            if isBlankBefore, ByteSearch.starts(bytes, at: index, with: mark) {
                if !message.isEmpty { messages.append(message) }
                message = []
            } else {
                message.append(contentsOf: unquoted(bytes[index..<end]))
            }
            isBlankBefore = end - index <= 2 && (bytes[index] == 0x0A || bytes[index] == 0x0D)
            index = end
        }
        if !message.isEmpty { messages.append(message) }
        return messages
    }

    /// A line without one of the marks that protect `From ` in a body.
    private static func unquoted(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = line.drop { $0 == 0x3E }
        return rest.count < line.count && rest.starts(with: mark) ? line.dropFirst() : line
    }
}

extension Store {
    /// Runs a step unless an earlier run of this file's server did; all of it is kept, or none.
    ///
    /// - Throws: what `body` throws.
    func once(_ key: String, _ body: () throws -> Void) throws {
        try database.run("CREATE TABLE IF NOT EXISTS done(key TEXT PRIMARY KEY)")
        guard try text("SELECT key FROM done WHERE key = ?", key) == nil else { return }
        try database.transaction {
            try body()
            try run("INSERT INTO done VALUES(?)", key)
        }
    }
}
