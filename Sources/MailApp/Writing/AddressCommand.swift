internal import MailUI
internal import Platform

/// The person's own program for addresses, such as `khard email --parsable` or `abook --mutt-query`.
enum AddressCommand {
    /// The longest that it is waited for.
    private static let patience = Duration.seconds(2)
    private static let bytesMax = 262_144
    private static let found = 50

    /// The addresses it prints for the beginning of one, which is its last argument; none when it fails or is slow.
    ///
    /// A line is `address TAB name`, what follows a second tab is passed over; lines that have no `@` are no addresses.
    static func ask(_ command: [String], for typed: String) async -> [KnownAddress] {
        guard let output = try? MemoryFile(), let child = try? ChildProcess(command + [typed], output: output) else {
            return []
        }
        guard await child.ended(within: patience) != nil, let bytes = output.bytes(max: bytesMax) else { return [] }
        return read(String(decoding: bytes, as: UTF8.self))
    }

    static func read(_ text: String) -> [KnownAddress] {
        var all: [KnownAddress] = []
        for line in text.split(whereSeparator: \.isNewline) where all.count < found {
            let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            let address = parts.first.map { $0.filter { !$0.isWhitespace } } ?? ""
            guard address.contains("@") else { continue }
            all.append(KnownAddress(address: address, name: parts.count > 1 ? String(parts[1]) : ""))
        }
        return all
    }
}
