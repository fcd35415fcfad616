internal import CDigest

/// The digest of FIPS 180-4 that PKCE needs, by libmd.
enum SHA256 {
    /// The 32 bytes of the digest.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var context = SHA2_CTX()
        SHA256Init(&context)
        SHA256Update(&context, bytes, bytes.count)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256Final(&digest, &context)
        return digest
    }
}
