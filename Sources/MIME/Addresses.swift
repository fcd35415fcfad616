internal import CGMime

/// Addresses and identifiers in header fields.
enum Addresses {
    /// The most addresses kept of one field.
    private static let max = 1_000

    /// The bare addresses of a list, those of its groups included.
    static func bare(_ list: UnsafeMutablePointer<InternetAddressList>?, depth: Int = 0) -> [String] {
        guard let list, depth < 4 else { return [] }
        var found: [String] = []
        for index in 0..<internet_address_list_length(list) {
            guard found.count < max, let address = internet_address_list_get_address(list, index) else { break }
            if let mailbox = herald_as_mailbox(address) {
                guard let text = internet_address_mailbox_get_addr(mailbox) else { continue }
                let bare = String(cString: text)
                if !bare.isEmpty { found.append(bare) }
            } else if let group = herald_as_group(address) {
                found += bare(internet_address_group_get_members(group), depth: depth + 1)
            }
        }
        return found
    }

    /// The identifiers of a field, each with its brackets.
    static func identifiers(_ field: String) -> [String] {
        var found: [String] = []
        var rest = field.utf8[...]
        while found.count < max, let start = rest.firstIndex(of: 0x3C) {
            guard let end = rest[start...].firstIndex(of: 0x3E) else { break }
            found.append(String(field[start...end]))
            rest = rest[rest.index(after: end)...]
        }
        return found
    }
}
