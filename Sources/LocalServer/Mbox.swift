/// The mbox format: messages after lines that begin with `From `.
package enum Mbox {
    private static let mark = Array("From ".utf8)
    private static let lengthField = Array("content-length:".utf8)

    /// The messages of an mbox; any other file is one message, and an empty one none.
    package static func messages(_ bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.contains(where: { $0 > 0x20 }) else { return [] }
        guard ByteSearch.starts(bytes, at: 0, with: mark) else { return [bytes] }
        var messages: [[UInt8]] = []
        var index = endOfLine(bytes, 0)
        while index < bytes.count {
            let end = endOfMessage(bytes, from: index)
            if end > index { messages.append(unquoted(bytes[index..<end])) }
            index = endOfLine(bytes, end)
        }
        return messages
    }

    /// Where the next separator is, or the end.
    private static func endOfMessage(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        var isBlankBefore = false
        var isHeader = true
        var length: Int?
        while index < bytes.count {
            let end = endOfLine(bytes, index)
            if index > start || !isHeader, isSeparator(bytes, index, end),
                isBlankBefore || MailShape.isField(bytes, end)
            {
                return index
            }
            isBlankBefore = isEmpty(bytes[index..<end])
            if isHeader, isBlankBefore {
                isHeader = false
                if let length, let stop = endByLength(bytes, from: end, length) { return stop }
            } else if isHeader, let value = contentLength(bytes[index..<end]) {
                length = value
            }
            index = end
        }
        return bytes.count
    }

    /// Where a body ends by its stated length; `nil` unless a separator or the end of the file is there.
    private static func endByLength(_ bytes: [UInt8], from start: Int, _ length: Int) -> Int? {
        guard length >= 0, length <= bytes.count - start else { return nil }
        var index = start + length
        while index < bytes.count, bytes[index] == 0x0A || bytes[index] == 0x0D { index += 1 }
        guard index < bytes.count else { return bytes.count }
        guard index == 0 || bytes[index - 1] == 0x0A else { return nil }
        return isSeparator(bytes, index, endOfLine(bytes, index)) ? index : nil
    }

    private static func contentLength(_ line: ArraySlice<UInt8>) -> Int? {
        guard line.count > lengthField.count, line.count < 64,
            zip(line, lengthField).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
        else { return nil }
        let digits = line.dropFirst(lengthField.count).filter { $0 > 0x20 }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Whether a line is `From `, a word at least, and a date as `asctime` writes it, with what some add to it.
    static func isSeparator(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        guard end - start < 512, ByteSearch.starts(bytes, at: start, with: mark) else { return false }
        let line = String(decoding: bytes[(start + mark.count)..<end], as: UTF8.self)
        let words = line.split { $0.isWhitespace }
        guard words.count >= 6 else { return false }
        return words.indices.dropFirst().contains { isDate(words[$0...]) }
    }

    private static let days: Set<Substring> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months: Set<Substring> = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isDate(_ words: ArraySlice<Substring>) -> Bool {
        let words = Array(words)
        guard words.count >= 5, days.contains(words[0]), months.contains(words[1]),
            let day = Int(words[2]), (1...31).contains(day)
        else { return false }
        let time = words[3].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(time.count), time.allSatisfy({ $0.count <= 2 && Int($0) != nil }) else { return false }
        return words[4...].prefix(2).contains { $0.count == 4 && Int($0) != nil && $0.first != "+" && $0.first != "-" }
    }

    /// A message without one of the marks that protect `From ` in its lines.
    private static func unquoted(_ message: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(message.count)
        var index = message.startIndex
        while index < message.endIndex {
            let end = message[index...].firstIndex(of: 0x0A).map { $0 + 1 } ?? message.endIndex
            let line = message[index..<end]
            let rest = line.drop { $0 == 0x3E }
            let isQuoted = rest.count < line.count && rest.starts(with: mark)
            result.append(contentsOf: isQuoted ? line.dropFirst() : line)
            index = end
        }
        return result
    }

    private static func endOfLine(_ bytes: [UInt8], _ start: Int) -> Int {
        guard start < bytes.count else { return bytes.count }
        return bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    }

    private static func isEmpty(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x0A || $0 == 0x0D }
    }
}

/// Tells mail from other files by how it begins.
enum MailShape {
    /// A header that has none of these is not one of mail.
    private static let known: Set<String> = [
        "from", "to", "subject", "date", "received", "message-id", "return-path", "delivered-to", "mime-version",
        "reply-to", "sender", "cc",
    ]
    /// No header looked at is longer.
    private static let headerMax = 65_536

    /// Whether the bytes begin with a header of mail, or with the separator of an mbox.
    static func looksLikeMail(_ bytes: [UInt8]) -> Bool {
        let end = bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        if Mbox.isSeparator(bytes, 0, end) { return true }
        var isKnown = false
        for line in bytes.prefix(headerMax).split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty { return isKnown }
            if line.first == 0x20 || line.first == 0x09 { continue }
            guard let colon = line.firstIndex(of: 0x3A), isName(line[..<colon]) else { return false }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            isKnown = isKnown || known.contains(name)
        }
        return isKnown
    }

    /// Whether a line of a header begins at an index: a name and a colon.
    static func isField(_ bytes: [UInt8], _ start: Int) -> Bool {
        guard start < bytes.count else { return false }
        let line = bytes[start...].prefix { $0 != 0x0A }
        guard let colon = line.firstIndex(of: 0x3A) else { return false }
        return isName(line[..<colon])
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && name.count < 128 && name.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
