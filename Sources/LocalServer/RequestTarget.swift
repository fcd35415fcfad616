/// The path and query of a request, read from the bytes of its first line.
///
/// The library's own reading ends at an escaped NUL and takes an escaped slash for one that parts.
struct RequestTarget: Sendable {
    /// The decoded path.
    ///
    /// An escaped slash stays escaped, so that it is never taken for one that parts.
    private(set) var path = ""
    private(set) var query: [QueryItem] = []

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let mark = bytes.firstIndex(of: 0x3F) ?? bytes.count
        path = RequestTarget.decoded(bytes[..<mark], keeping: 0x2F)
        query = RequestTarget.items(bytes[mark...].dropFirst())
    }

    /// The fields of a query or of a form's body.
    static func items(_ bytes: ArraySlice<UInt8>) -> [QueryItem] {
        bytes.split(separator: 0x26).map { item in
            let equals = item.firstIndex(of: 0x3D) ?? item.endIndex
            return QueryItem(
                name: decoded(item[..<equals], isForm: true),
                value: decoded(item[equals...].dropFirst(), isForm: true))
        }
    }

    /// Percent-encoded text decoded; what is no escape stays as it is.
    private static func decoded(_ bytes: ArraySlice<UInt8>, keeping kept: UInt8? = nil, isForm: Bool = false) -> String
    {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == 0x25, index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2]), high << 4 | low != kept
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(isForm && byte == 0x2B ? 0x20 : byte)
                index += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: return byte - 0x30
        case 0x41...0x46, 0x61...0x66: return (byte | 0x20) - 0x61 + 10
        default: return nil
        }
    }
}
