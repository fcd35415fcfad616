/// Where the bearer of an account's requests comes from.
package protocol BearerSource: Sendable {
    /// The bearer to send now, renewed first when it is about to end.
    ///
    /// - Throws: when there is none; the error says what the person can do.
    func bearer() async throws -> String

    /// What to send in place of a bearer that the server refused (401); `nil` when only a new sign-in helps.
    ///
    /// - Throws: when that cannot be told now, since the server or the store of tokens does not answer.
    func bearer(insteadOf refused: String) async throws -> String?

    /// Notes that the server refuses also what it handed out last, so that only a new sign-in helps.
    func noteRefused(_ bearer: String) async

    /// Notes that the server takes a bearer that was handed out in place of a refused one.
    func noteAccepted(_ bearer: String) async
}

extension BearerSource {
    package func noteAccepted(_ bearer: String) {}
}

/// A bearer that never changes.
package struct StaticBearer: BearerSource, Hashable {
    private let token: String

    package init(_ token: String) { self.token = token }

    package func bearer() -> String { token }

    package func bearer(insteadOf refused: String) -> String? { nil }

    package func noteRefused(_ bearer: String) {}
}
