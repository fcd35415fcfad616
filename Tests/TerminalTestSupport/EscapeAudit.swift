/// Reads every byte a program sent to a terminal, and names what it should never send.
///
/// Only sequences on a short list are let through, each with its own form, so that one that came out of a mail shows.
package struct EscapeAudit {
    /// What is not on the list, in words.
    package private(set) var violations: [String] = []
    /// The names given to the window.
    package private(set) var titles: [String] = []
    /// The addresses of links (OSC 8); empty ones end a link.
    package private(set) var links: [String] = []
    /// What was put into the clipboard (OSC 52), in Base64.
    package private(set) var copies: [String] = []
    /// What the terminal was to tell on the desktop (OSC 9 and 777).
    package private(set) var notifications: [String] = []
    /// What was said of pictures.
    package private(set) var pictures: [String] = []
    /// How often the bell rang.
    package private(set) var bells = 0

    private let bytes: [UInt8]
    private var at = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while at < bytes.count { step() }
    }

    private mutating func step() {
        let byte = bytes[at]
        switch byte {
        case 0x1B: escape()
        // What ncurses moves the cursor with.
        case 0x08, 0x09, 0x0A, 0x0D: at += 1
        case 0x07:
            bells += 1
            at += 1
        case 0x20..<0x7F: at += 1
        case 0x80...: character()
        default: refuse("control \(hexadecimal(byte))", length: 1)
        }
    }

    /// A character of several bytes: whole, and nothing that steers, joins or hides.
    private mutating func character() {
        var decoder = UTF8()
        var rest = bytes[at...].prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return refuse("broken UTF-8", length: 1) }
        let length = UTF8.width(scalar)
        switch scalar.properties.generalCategory {
        case .control, .format, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned:
            // Newer letters than this program's tables know are no harm; they are few and shown as they are.
            if scalar.properties.generalCategory == .unassigned { break }
            return refuse("character U+\(String(scalar.value, radix: 16))", length: length)
        default: break
        }
        at += length
    }

    private mutating func escape() {
        guard at + 1 < bytes.count else { return refuse("a lone escape", length: 1) }
        switch bytes[at + 1] {
        case 0x5B: control()
        case 0x5D: command()
        case 0x5F: picture()
        case 0x28, 0x29: at += 3
        // Keypad modes, saved cursor, scrolling back.
        case 0x3D, 0x3E, 0x37, 0x38, 0x4D: at += 2
        default: refuse("escape \(hexadecimal(bytes[at + 1]))", length: 2)
        }
    }

    private mutating func control() {
        var end = at + 2
        while end < bytes.count, (0x20...0x3F).contains(bytes[end]) { end += 1 }
        guard end < bytes.count else { return refuse("an open control sequence", length: 2) }
        let parameters = String(decoding: bytes[(at + 2)..<end], as: UTF8.self)
        let final = Character(Unicode.Scalar(bytes[end]))
        let isKnown: Bool
        switch final {
        case "h", "l": isKnown = EscapeAudit.modes.contains(parameters)
        case "t": isKnown = ["22;2", "23;2", "22;0;0", "23;0;0"].contains(parameters)
        case "A", "B", "C", "D", "G", "H", "J", "K", "L", "M", "P", "S", "T", "X", "@", "Z", "b", "d", "m", "r":
            isKnown = parameters.allSatisfy { $0.isNumber || $0 == ";" || $0 == ":" }
        default: isKnown = false
        }
        if isKnown { at = end + 1 } else { refuse("CSI \(parameters)\(final)", length: end + 1 - at) }
    }

    /// Insert mode, order of directions, cursor keys, wrapping, blinking, visibility, mouse, focus, the other screen, paste.
    private static let modes: Set<String> = [
        "4", "8", "?1", "?7", "?12", "?25", "?1000", "?1004", "?1006", "?1049", "?2004", "?12;25",
    ]

    private mutating func command() {
        var end = at + 2
        while end < bytes.count, bytes[end] >= 0x20 { end += 1 }
        let isEnded = end + 1 < bytes.count && bytes[end] == 0x1B && bytes[end + 1] == 0x5C
        let text = String(decoding: bytes[(at + 2)..<end], as: UTF8.self)
        if end < bytes.count, bytes[end] == 0x07, let copied = copied(text) {
            copies.append(copied)
            at = end + 1
            return
        }
        guard isEnded, text.unicodeScalars.allSatisfy({ !(0x7F..<0xA0).contains($0.value) }) else {
            return refuse("OSC \(text.prefix(40)) with a wrong end", length: 2)
        }
        if text.hasPrefix("2;") {
            titles.append(String(text.dropFirst(2)))
        } else if text.hasPrefix("8;") {
            links.append(String(text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""))
        } else if text.hasPrefix("9;New mail") || isNotification(text) {
            notifications.append(text)
        } else if text != "11;?" {
            return refuse("OSC \(text.prefix(40))", length: end + 2 - at)
        }
        at = end + 2
    }

    /// Whether a command is a notification of exactly two parts.
    private func isNotification(_ text: String) -> Bool {
        text.hasPrefix("777;notify;New mail") && text.count { $0 == ";" } == 3
    }

    /// A sequence about pictures: keys, and letters of base 64.
    private mutating func picture() {
        var end = at + 2
        while end < bytes.count, bytes[end] >= 0x20, bytes[end] < 0x7F { end += 1 }
        let text = String(decoding: bytes[(at + 2)..<end], as: UTF8.self)
        let isEnded = end + 1 < bytes.count && bytes[end] == 0x1B && bytes[end + 1] == 0x5C
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let areKeys =
            parts[0].first == "G"
            && parts[0].dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "," || $0 == "=" }
        let isPayload = parts.count < 2 || parts[1].utf8.allSatisfy(EscapeAudit.isBase64)
        guard isEnded, areKeys, isPayload else { return refuse("APC \(text.prefix(40))", length: 2) }
        pictures.append(text)
        at = end + 2
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
        default: false
        }
    }

    /// What a command that ends with a bell puts into the clipboard; `nil` for any other command and for a question.
    private func copied(_ text: String) -> String? {
        guard text.hasPrefix("52;c;") else { return nil }
        let copied = text.utf8.dropFirst(5)
        return copied.allSatisfy(EscapeAudit.isBase64) && !copied.isEmpty ? String(text.dropFirst(5)) : nil
    }

    private mutating func refuse(_ what: String, length: Int) {
        let before = String(decoding: bytes[max(0, at - 40)..<at], as: UTF8.self)
        if violations.count < 20 { violations.append("\(what) at \(at) behind \(before.debugDescription)") }
        at += length
    }

    private func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16) }
}

extension EscapeAudit {
    /// What of a text could steer a terminal: any control but the line feed, and what turns the direction of text.
    package static func steering(_ bytes: [UInt8]) -> Unicode.Scalar? {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
