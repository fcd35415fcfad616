internal import HTTP
package import MailModel

/// The routes of the mail server that change a message (contract §3.6).
package protocol MailActing: Sendable {
    /// Does an action on a message and answers the message as it is then.
    ///
    /// `requestID` goes along as `X-Request-Id`. Repeating an action is safe: it moves a stamp and nothing else.
    /// - Throws: `WriteFailure`, or `CancellationError` when the task is cancelled; then the server may have done it.
    func act(_ action: TriageAction, on message: MessageID, requestID: OperationID) async throws -> MessageSummary
    /// The message as the server has it, to decide whether an action is to be done.
    ///
    /// - Throws: `WriteFailure` of a write that certainly was not done, or `CancellationError`.
    func current(_ message: MessageID) async throws -> MessageDetail
}

/// Why a write has no usable answer, with all that is known of what the server did.
package struct WriteFailure: Error, Hashable, Sendable {
    /// How far the write got.
    package enum Reach: Hashable, Sendable {
        /// The server cannot have seen it.
        case notSent
        /// The server may have done it; no answer of it is here.
        case unknown
        /// The server answered that it did not do it.
        case refused
        /// Something answered that is not the mail server: a proxy, a sign-in page of the network.
        case elsewhere
        /// The server did it, but its answer cannot be read.
        case done
    }

    package var reach: Reach
    /// What a person is told and what a command ends with.
    package var error: MailAPIError
    /// The status of the answer; `nil` when there was none.
    package var status: Int?
    /// The server's code for its refusal, which is never shown; empty when it gave none.
    package var code: String
    /// How long the server asks to wait, in milliseconds; `nil` when it does not say.
    package var retryAfterMilliseconds: Int64?

    package init(
        _ reach: Reach, _ error: MailAPIError, status: Int? = nil, code: String = "",
        retryAfterMilliseconds: Int64? = nil
    ) {
        self.reach = reach
        self.error = error
        self.status = status
        self.code = code
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }
}

extension WriteFailure {
    /// Whether the file to be sent could not be read here, so that the server has no whole request.
    package var isOfTheFile: Bool { error == .transport(.badBody) }

    /// A read that failed, told as a write is: nothing of it can have been done.
    package init(_ error: MailAPIError) {
        switch error {
        case .signInNeeded(let code): self.init(.refused, error, status: 401, code: code)
        case .forbidden(let code): self.init(.refused, error, status: 403, code: code)
        case .notFound(let code): self.init(.refused, error, status: 404, code: code)
        case .rateLimited: self.init(.refused, error, status: 429)
        case .server(let status): self.init(.unknown, error, status: status)
        case .refused(let status, let code): self.init(.refused, error, status: status, code: code)
        case .transport(let failure): self.init(failure.mayHaveReachedServer ? .unknown : .notSent, error)
        default: self.init(.elsewhere, error)
        }
    }
}
