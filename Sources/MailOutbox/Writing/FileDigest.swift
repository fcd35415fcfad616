internal import CDigest

/// The SHA-256 of bytes that come piece by piece (FIPS 180-4), by libmd.
struct FileDigest {
    private var context = SHA2_CTX()

    init() { SHA256Init(&context) }

    mutating func add(_ bytes: [UInt8]) { SHA256Update(&context, bytes, bytes.count) }

    /// The digest in hexadecimal letters; ends it.
    mutating func finish() -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256Final(&digest, &context)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
