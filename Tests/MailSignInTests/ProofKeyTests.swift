internal import Testing

@testable internal import MailSignIn

struct ProofKeyTests {
    /// Fails when the digest is not SHA-256, or wrong where a block begins; from FIPS 180-4 and NIST's vectors.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 119), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
        (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    ]) func `a digest is that of the standard`(_ text: String, _ hex: String) {
        let digest = SHA256.digest(Array(text.utf8))
        #expect(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hex)
    }

    /// Fails when the server would not find the verifier to fit; the pair is of RFC 7636, appendix B.
    @Test func `a challenge is that of the standard`() {
        let key = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    /// Fails when two sign-ins share a key, or one has letters that the standard does not allow.
    @Test func `keys are new and long enough`() {
        let keys = (0..<50).map { _ in ProofKey().verifier }
        #expect(Set(keys).count == 50)
        #expect(keys.allSatisfy { $0.utf8.count == 43 })
        #expect(keys.joined().allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    }
}
