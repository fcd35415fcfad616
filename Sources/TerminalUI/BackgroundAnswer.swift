/// The terminal's answer to the question for its background colour (xterm, OSC 11).
enum BackgroundAnswer {
    /// No answer is longer.
    static let longest = 40

    /// Whether the background is dark, from `11;rgb:RRRR/GGGG/BBBB`; `nil` for anything else.
    static func isDark(_ bytes: [UInt8]) -> Bool? {
        guard bytes.starts(with: Array("11;rgb".utf8)), let colon = bytes.firstIndex(of: 0x3A) else { return nil }
        let text = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).prefix(3)
        let levels = parts.compactMap(level)
        guard levels.count == 3 else { return nil }
        // How bright the eye finds it (ITU-R BT.601).
        return 0.299 * levels[0] + 0.587 * levels[1] + 0.114 * levels[2] < 0.5
    }

    /// A part of one to four hexadecimal digits as a number from 0 to 1.
    private static func level(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.count), let value = Int(digits, radix: 16) else { return nil }
        return Double(value) / Double(1 << (4 * digits.count) - 1)
    }
}
