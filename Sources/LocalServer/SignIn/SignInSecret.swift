internal import CGMime
internal import Platform

/// Random values and digests of signing in.
enum SignInSecret {
    static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    static let alphanumerics = letters + Array("0123456789".utf8)
    /// What a person types: nothing that looks like something else.
    static let legible = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)

    /// So many random characters of an alphabet.
    static func random(_ count: Int, of alphabet: [UInt8] = letters) -> String {
        var out: [UInt8] = []
        // Bytes past the last whole multiple of the alphabet would make its first characters likelier.
        let bound = 256 / alphabet.count * alphabet.count
        while out.count < count {
            for byte in Environment.randomBytes(count) where Int(byte) < bound && out.count < count {
                out.append(alphabet[Int(byte) % alphabet.count])
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The SHA-256 of a text in base64url without padding, as PKCE has it (RFC 7636 §4.2).
    static func digest(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let sum = g_checksum_new(G_CHECKSUM_SHA256) else { return "" }
        defer { g_checksum_free(sum) }
        g_checksum_update(sum, bytes, bytes.count)
        var digest = [UInt8](repeating: 0, count: 32)
        var count = digest.count
        g_checksum_get_digest(sum, &digest, &count)
        return Cursor.encode(Array(digest[..<count]))
    }
}
