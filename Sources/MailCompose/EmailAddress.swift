/// Bare addresses as the server takes them (contract §3.10, §8).
package enum EmailAddress {
    /// The most bytes of an address.
    package static let bytesMax = 254

    /// Whether a text is one whole bare address: ASCII letters, digits and `_'+-.` before the `@`, a host name with a
    /// dot behind it, 254 bytes at most.
    ///
    /// The server refuses all else, so it is better told before anything is sent.
    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count <= bytesMax, let at = bytes.firstIndex(of: 0x40), at > 0 else { return false }
        let local = bytes[..<at]
        guard local.allSatisfy(isLocal), isDotted(local), local.last != 0x27, local.last != 0x2D, local.last != 0x2B
        else { return false }
        return isHost(bytes[(at + 1)...])
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || [0x5F, 0x27, 0x2B, 0x2D, 0x2E].contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Whether dots stand singly and inside.
    private static func isDotted(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }

    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        let labels = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.count >= 2, last.allSatisfy(isLetter) else {
            return false
        }
        return labels.dropLast().allSatisfy { label in
            !label.isEmpty && label.first != 0x2D && label.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
