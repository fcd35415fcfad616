internal import HTTP

private enum BearersMax {
    /// How many bearers are tried after the first.
    static let another = 2
}

extension BearerSource {
    /// Does something with a bearer, again with another one when the first is refused.
    ///
    /// The one place that decides it for requests, files and events. At most three are tried: the present one, one
    /// that another process has, and a fresh one; when that is refused too, only a new sign-in helps.
    /// - Throws: what `body` throws, the last refusal included, or what the source throws.
    func attempt<Answer>(
        isRefusal: (any Error) -> Bool, _ body: (String) async throws -> Answer
    ) async throws -> Answer {
        var bearer = try await self.bearer()
        var triesLeft = BearersMax.another
        while true {
            do {
                let answer = try await body(bearer)
                if triesLeft < BearersMax.another { await noteAccepted(bearer) }
                return answer
            } catch {
                guard isRefusal(error) else { throw error }
                guard triesLeft > 0, let next = try await self.bearer(insteadOf: bearer) else {
                    await noteRefused(bearer)
                    throw error
                }
                bearer = next
                triesLeft -= 1
            }
        }
    }
}
