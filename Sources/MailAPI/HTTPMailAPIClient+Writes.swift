internal import HTTP
internal import JSON
package import MailModel
internal import MailWire

extension HTTPMailAPIClient: MailActing {
    package func act(
        _ action: TriageAction, on message: MessageID, requestID: OperationID
    ) async throws -> MessageSummary {
        let path: String
        do {
            path = "/messages/\(try HTTPMailAPIClient.segment(message))/\(action.rawValue)"
        } catch {
            // No message has such a name, so none was sent for.
            throw WriteFailure(.refused, error, status: 404)
        }
        let headers = [
            HTTPHeader("Accept", "application/json"), HTTPHeader("X-Request-Id", requestID.rawValue),
        ]
        // Safe to repeat, so the transport may do so itself when a kept connection turns out to be dead.
        let request = HTTPRequest(
            method: "POST", url: base + path, headers: headers, responseBytesMax: HTTPMailAPIClient.jsonBytesMax,
            isRepeatable: true)
        let response = try await answer(to: request)
        let answered: MessageSummary
        do {
            answered = try HTTPMailAPIClient.decode(response) { reader throws(JSONError) in
                MessageSummary(try MessageSummaryWire(from: &reader))
            }
        } catch {
            throw WriteFailure(.done, error, status: response.status)
        }
        guard answered.id == message else { throw WriteFailure(.done, .implausible, status: response.status) }
        return answered
    }

    package func current(_ message: MessageID) async throws -> MessageDetail {
        do {
            let path = "/messages/\(try HTTPMailAPIClient.segment(message))"
            let response = try await answer(
                to: HTTPRequest(
                    url: base + path, headers: [HTTPHeader("Accept", "application/json")],
                    responseBytesMax: HTTPMailAPIClient.jsonBytesMax))
            let detail = try HTTPMailAPIClient.decode(response) { reader throws(JSONError) in
                MessageDetail(try MessageDetailWire(from: &reader))
            }
            guard detail.summary.id == message else { throw MailAPIError.implausible }
            return detail
        } catch let failure as WriteFailure {
            throw failure.ofReading
        } catch let error as MailAPIError {
            // A name that no message has, or an answer that nobody can read.
            throw WriteFailure(.refused, error, status: error == .notFound("") ? 404 : 200)
        }
    }

    /// The success that a write was answered with; as JSON, unless it is one without content.
    func answer(to request: HTTPRequest, isJSON: Bool = true) async throws -> HTTPResponse {
        guard let origin = home else { throw WriteFailure(.notSent, .transport(.badURL)) }
        do {
            return try await source.attempt(isRefusal: { ($0 as? WriteFailure)?.status == 401 }) { bearer in
                var authorized = request
                _ = authorized.authorize(bearer: bearer, for: origin)
                let response: HTTPResponse
                do {
                    response = try await exchange(authorized)
                } catch let error as MailAPIError {
                    throw WriteFailure(HTTPMailAPIClient.reach(of: error), error)
                }
                if !isJSON, response.isSuccess, response.mediaType != "text/html" { return response }
                if let failure = WriteFailure(response) { throw failure }
                return response
            }
        } catch let error as MailAPIError {
            // There is no bearer to send it with.
            throw WriteFailure(.notSent, error)
        }
    }

    private static func reach(of error: MailAPIError) -> WriteFailure.Reach {
        guard case .transport(let error) = error else { return .notSent }
        return error.mayHaveReachedServer ? .unknown : .notSent
    }
}

extension WriteFailure {
    /// The failure when only reading was asked for: whatever became of it, nothing was done.
    fileprivate var ofReading: WriteFailure {
        var failure = self
        switch reach {
        case .unknown: failure.reach = .notSent
        case .done: failure.reach = .refused
        case .notSent, .refused, .elsewhere: break
        }
        return failure
    }

    /// What an answer says of a write; `nil` for a success in JSON.
    init?(_ response: HTTPResponse) {
        let status = response.status
        let wait = RetryAfter.milliseconds(response)
        do {
            try ResponseStatus.check(response)
        } catch {
            // A refusal without the contract's envelope is somebody else's: only the server knows what it did.
            guard let code = ResponseStatus.errorCode(of: response) else {
                let speaksForAny = status >= 500 || WriteFailure.speakForAny.contains(status)
                self.init(
                    status >= 500 ? .unknown : speaksForAny ? .refused : .elsewhere, speaksForAny ? error : .notJSON,
                    status: status, retryAfterMilliseconds: wait)
                return
            }
            self.init(
                status >= 500 ? .unknown : .refused, error, status: status, code: code, retryAfterMilliseconds: wait)
            return
        }
        if ResponseStatus.isJSON(response) { return nil }
        self.init(response.mediaType == "text/html" ? .elsewhere : .done, .notJSON, status: status)
    }

    /// Statuses that mean the same whoever sends them.
    private static let speakForAny: Set<Int> = [401, 429]
}

/// The wait that an answer asks for (RFC 9110, `Retry-After`).
enum RetryAfter {
    /// No answer makes anybody wait longer, so that one wrong header does not stop all writing for days.
    static let longestMilliseconds: Int64 = 3_600_000

    /// The wait in milliseconds; `nil` when the answer does not say, or says it in no known form.
    ///
    /// A date is compared with the answer's own, since the clock of this machine may be wrong.
    static func milliseconds(_ response: HTTPResponse) -> Int64? {
        guard let text = response.value(of: "Retry-After") ?? response.value(of: "X-Retry-After") else { return nil }
        let trimmed = text.filter { $0 != " " && $0 != "\t" }
        if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            guard let seconds = Int64(trimmed), seconds < longestMilliseconds / 1_000 else {
                return longestMilliseconds
            }
            return seconds * 1_000
        }
        guard let end = seconds(text), let now = response.value(of: "Date").flatMap(seconds) else { return nil }
        return min(max(0, (end - now) * 1_000), longestMilliseconds)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[1].count == 2, words[3].count == 4,
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp("\(words[3])-\(number)-\(words[1])T\(words[4]).000Z").secondsSinceEpoch
    }
}
