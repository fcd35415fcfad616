internal import HTTP

/// The waiting of the device flow (RFC 8628 §3.5), without clock and network.
package struct DeviceFlow: Hashable, Sendable {
    /// What comes next.
    package enum Step: Hashable, Sendable {
        /// Ask again after so many seconds.
        case wait(seconds: Int)
        case signedIn(Tokens)
        case failed(SignInError)
    }

    private var interval: Int
    /// When the code ends, in milliseconds of a clock that never goes back.
    private let endsAt: Int64

    /// Begins when the code was handed out.
    package init(_ code: DeviceCode, now milliseconds: Int64) {
        interval = code.interval
        endsAt = milliseconds + Int64(code.secondsLeft) * 1_000
    }

    /// The first wait, a whole interval.
    package var first: Step { .wait(seconds: interval) }

    /// What follows the answer to a poll.
    package mutating func next(_ answer: Result<Tokens, SignInError>, now milliseconds: Int64) -> Step {
        switch answer {
        case .success(let tokens): return .signedIn(tokens)
        case .failure(.refused("authorization_pending")): break
        case .failure(.refused("slow_down")), .failure(.rateLimited): interval += 5
        // No answer says nothing about the code; the standard asks for longer pauses then.
        case .failure(.server): interval = min(interval * 2, 60)
        case .failure(.transport(let error)) where error.isRetryable || error == .badResponse:
            interval = min(interval * 2, 60)
        case .failure(.refused("access_denied")): return .failed(.denied)
        case .failure(.refused("expired_token")), .failure(.refused("invalid_grant")): return .failed(.expired)
        case .failure(let error): return .failed(error)
        }
        return milliseconds + Int64(interval) * 1_000 > endsAt ? .failed(.expired) : .wait(seconds: interval)
    }
}
