internal import MailAPI
internal import MailModel

/// A change cursor read as the documented shape (contract §7.3), as a hint only.
struct ChangeCursor: Hashable {
    var after: String
    /// Whether the cursor is of the middle of a round.
    var isMidRound: Bool

    /// The number of the last journal row it covers; `nil` when it is too large for one.
    var sequence: Int64? { Int64(after) }

    /// Reads base64url of `["c1","after","highWater"|null]`; `nil` for any other text.
    init?(_ text: String) {
        guard let bytes = ChangeCursor.decode(text), bytes.first == 0x5B, bytes.last == 0x5D else { return nil }
        let parts = bytes[1..<(bytes.count - 1)].split(separator: 0x2C, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("\"c1\"".utf8), let after = ChangeCursor.number(parts[1])
        else { return nil }
        self.after = after
        if parts[2].elementsEqual("null".utf8) {
            isMidRound = false
        } else {
            guard ChangeCursor.number(parts[2]) != nil else { return nil }
            isMidRound = true
        }
    }

    /// A quoted decimal number without its quotes.
    private static func number(_ quoted: ArraySlice<UInt8>) -> String? {
        guard quoted.count > 2, quoted.count <= 21, quoted.first == 0x22, quoted.last == 0x22 else { return nil }
        let digits = quoted.dropFirst().dropLast()
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 512 else { return nil }
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for byte in text.utf8 {
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case 0x2D: value = 62
            case 0x5F: value = 63
            default: return nil
            }
            buffer = (buffer << 6 | UInt32(value)) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes.count >= 2 ? bytes : nil
    }
}

/// The bookkeeping of one round of the change feed: what may be stored, and whether its rows can be trusted.
///
/// The server orders a round's rows as text, so one that crosses a power of ten loses rows (contract §9.1).
struct ChangeRound {
    let start: String
    private(set) var pages = 0
    private var rows: Int64 = 0
    /// The last cursor that may be stored before the round is over.
    private(set) var held: String
    private var cycle: CycleGuard
    private let emptyPagesMax: Int
    private var emptyPages = 0

    init(start: String, limits: SyncLimits = SyncLimits()) {
        self.start = start
        held = start
        cycle = CycleGuard(start: start, pagesMax: limits.pagesMax)
        emptyPagesMax = limits.emptyPagesMax
    }

    /// Takes a page in.
    mutating func accept(_ page: ChangePage) throws(MailAPIError) {
        pages += 1
        rows += Int64(page.changes.count)
        guard page.hasMore else { return }
        emptyPages = page.changes.isEmpty ? emptyPages + 1 : 0
        guard emptyPages < emptyPagesMax else { throw .endlessPages }
        try cycle.accept(page.nextCursor)
        // One that is not recognised as of the middle of a round would, after a restart, pass for a fresh start.
        if ChangeCursor(page.nextCursor)?.isMidRound == true { held = page.nextCursor }
    }

    /// How far the round can be trusted when `end` is its last cursor.
    func trust(end: String) -> FeedTrust {
        if needsReconcile(end: end) { return .losesRows }
        return hidesRows(end: end) ? .hidesRows : .complete
    }

    /// Whether the journal grew by other rows than those that were shown.
    ///
    /// Cursors count the rows of the whole installation, so one that moved further than it showed has passed rows
    /// of mail that is out of sight, or outdated ones. Only the cursor of before is a proof that there are none.
    private func hidesRows(end: String) -> Bool {
        if end == start { return false }
        guard let first = ChangeCursor(start)?.sequence, let last = ChangeCursor(end)?.sequence else { return true }
        return last - first != rows
    }

    /// Whether rows may have been lost, judged when `end` is the round's last cursor.
    func needsReconcile(end: String) -> Bool {
        guard let first = ChangeCursor(start) else { return pages > 1 }
        if first.isMidRound { return true }
        guard pages > 1 else { return false }
        guard let last = ChangeCursor(end) else { return true }
        return first.after.utf8.count != last.after.utf8.count
    }
}
