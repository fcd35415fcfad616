internal import MailModel

/// What a line of the log says: a sentence of ours and fields that cannot carry anybody's words.
///
/// `StaticString` takes a literal of the source only, so that no text of a message, a file, an account or a
/// server can become part of a line.
struct LogEvent: Sendable {
    /// One named value of a line.
    enum Field: Sendable {
        case number(StaticString, Int)
        case flag(StaticString, Bool)
        /// One of the program's own codes.
        case code(StaticString, StaticString)
        /// A mark of an identifier: equal for equal ones; it can be compared with a guess, not read back.
        case mark(StaticString, UInt64)
    }

    let level: LogLevel
    let text: StaticString
    let fields: [Field]

    init(_ level: LogLevel, _ text: StaticString, _ fields: [Field] = []) {
        self.level = level
        self.text = text
        self.fields = fields
    }

    /// The line as it is written, with its line feed; always shorter than 4,096 bytes.
    func line(milliseconds: Int64, processID: Int32) -> [UInt8] {
        let time = Timestamp(millisecondsSinceEpoch: milliseconds).text
        var line = "\(time) \(level.rawValue) \(processID) \(text)"
        for field in fields {
            switch field {
            case .number(let name, let value): line += " \(name)=\(value)"
            case .flag(let name, let value): line += " \(name)=\(value)"
            case .code(let name, let value): line += " \(name)=\(value)"
            case .mark(let name, let value): line += " \(name)=#" + String(value, radix: 16)
            }
        }
        return Array(line.utf8.prefix(4_000)) + [0x0A]
    }
}

extension LogEvent.Field {
    /// A mark of the account, so that lines of one can be told from those of another.
    static func account(_ account: Account) -> LogEvent.Field { .mark("account", mark(account.label)) }

    /// A mark of a conversation; the server's own identifier is the server's text, so it is not written.
    static func thread(_ id: ThreadID) -> LogEvent.Field { .mark("thread", mark(id.rawValue)) }

    /// FNV-1a over the text, folded to 32 bits.
    private static func mark(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ (hash >> 32)) & 0xFFFF_FFFF
    }
}
