internal import Platform

/// The pair that proves that who exchanges a code is who asked for it (RFC 7636).
struct ProofKey: Hashable, Sendable {
    /// Kept to ourselves until the code is exchanged.
    let verifier: String
    /// Sent with the wish; the verifier cannot be told from it.
    var challenge: String { ProofKey.encoded(SHA256.digest(Array(verifier.utf8))) }

    init(verifier: String) { self.verifier = verifier }

    /// A new pair; the standard asks for 32 random bytes.
    init() { self.init(verifier: ProofKey.random()) }

    /// An unguessable text, also for the state that comes back with the code.
    static func random() -> String { encoded(Environment.randomBytes(32)) }

    /// Base64 for addresses, without padding (RFC 4648 §5).
    static func encoded(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var out: [UInt8] = []
        var (held, bits): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                out.append(letters[Int(held >> bits & 63)])
            }
        }
        if bits > 0 { out.append(letters[Int(held << (6 - bits) & 63)]) }
        return String(decoding: out, as: UTF8.self)
    }
}
