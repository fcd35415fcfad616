internal import CUtf8proc
internal import Glibc

extension TextDisplay {
    /// The most combining marks kept on one base.
    static let marksLimit = 4

    /// `text` as one line that every terminal places alike: no controls, no invisible or joining scalars.
    package static func sanitizedLine(_ text: some StringProtocol) -> String {
        if isPlain(text) { return String(text) }
        return sanitized(text, keepsLines: false)
    }

    /// `text` with its line feeds and its tabs as blanks, otherwise as `sanitizedLine` makes it.
    package static func sanitizedText(_ text: some StringProtocol) -> String {
        if isPlain(text) { return String(text) }
        return sanitized(text, keepsLines: true)
    }

    /// Whether every byte is printable ASCII.
    static func isPlain(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    private static func sanitized(_ text: some StringProtocol, keepsLines: Bool) -> String {
        var writer = Writer(keepsLines: keepsLines)
        var afterReturn = false
        for scalar in text.unicodeScalars {
            let isSecondHalf = afterReturn && scalar == "\n"
            afterReturn = scalar == "\r"
            if !isSecondHalf { writer.add(scalar) }
        }
        let output = String(writer.output)
        return writer.output.contains(where: isComposable) ? composed(output) : output
    }

    /// Whether a scalar may become one with what stands before it: marks, parts of Korean syllables, voiced kana.
    private static func isComposable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x1161...0x11FF, 0x3099, 0x309A: true
        default: false
        }
    }

    /// The text with letters and the marks on them as one scalar each where there is one (NFC).
    ///
    /// The parts of a Korean syllable are drawn as one letter only so.
    private static func composed(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var result: UnsafeMutablePointer<UInt8>?
        let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
        let count = bytes.withUnsafeBufferPointer { buffer in
            utf8proc_map(buffer.baseAddress, buffer.count, &result, utf8proc_option_t(rawValue: options))
        }
        guard count >= 0, let result else { return String(text) }
        defer { free(result) }
        return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }

    /// Collects the scalars that may be shown.
    private struct Writer {
        let keepsLines: Bool
        var output = String.UnicodeScalarView()
        var column = 0
        var marks = 0

        mutating func add(_ scalar: Unicode.Scalar) {
            switch replacement(for: scalar) {
            case .removed: break
            case .tab: blanks(keepsLines ? 8 - column % 8 : 1)
            case .line: if keepsLines { newLine() } else { blanks(1) }
            case .mark:
                guard column > 0, marks < marksLimit else { return }
                output.append(scalar)
                marks += 1
            case .shown(let shown, let width):
                output.append(shown)
                column += width
                marks = 0
            }
        }

        private mutating func blanks(_ count: Int) {
            for _ in 0..<count { output.append(" ") }
            column += count
            marks = 0
        }

        private mutating func newLine() {
            output.append("\n")
            column = 0
            marks = 0
        }
    }

    private enum Replacement {
        case removed, tab, line, mark
        case shown(Unicode.Scalar, width: Int)
    }

    private static func replacement(for scalar: Unicode.Scalar) -> Replacement {
        switch scalar.value {
        case 0x09: return .tab
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: return .line
        case 0x20..<0x7F: return .shown(scalar, width: 1)
        // Skin tones, variation selectors, the joiner and keycap, and fillers that show nothing.
        case 0x1F3FB...0x1F3FF, 0xFE00...0xFE0F, 0xE0000...0xE0FFF, 0x180B...0x180F, 0x034F, 0x20E3,
            0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0:
            return .removed
        // Regional indicators: two of them are one flag to some terminals, two letters to others.
        case 0x1F1E6...0x1F1FF: return .shown(Unicode.Scalar(UInt8(scalar.value - 0x1F1E6 + 0x41)), width: 1)
        default: return byCategory(scalar)
        }
    }

    private static func byCategory(_ scalar: Unicode.Scalar) -> Replacement {
        let width = width(of: scalar)
        switch utf8proc_category(Int32(bitPattern: scalar.value)) {
        case UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CF: return .removed
        case UTF8PROC_CATEGORY_ZL, UTF8PROC_CATEGORY_ZP: return .line
        case UTF8PROC_CATEGORY_CN, UTF8PROC_CATEGORY_CO, UTF8PROC_CATEGORY_CS:
            return .shown("\u{FFFD}", width: 1)
        case UTF8PROC_CATEGORY_ZS where width < 2: return .shown(" ", width: 1)
        default: return width == 0 ? .mark : .shown(scalar, width: width)
        }
    }
}
