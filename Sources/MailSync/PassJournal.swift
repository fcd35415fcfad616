/// How a pass ended.
package struct PassRecord: Sendable, Hashable {
    package var finishedAtMilliseconds: Int64
    /// `nil` when the pass succeeded; else a sentence for the person.
    package var failure: String?
    /// The failure's word of ours (docs/errors.md); `nil` when the pass succeeded.
    package var failureCode: String?
    /// Requests since the record before.
    package var requests: Int
    /// Whether drafts could be read; `nil` when they were not asked for.
    package var hasDrafts: Bool?
    /// Whether only a new sign-in helps.
    package var needsSignIn = false

    package init(
        finishedAtMilliseconds: Int64, failure: String?, failureCode: String? = nil, requests: Int,
        hasDrafts: Bool? = nil, needsSignIn: Bool = false
    ) {
        self.finishedAtMilliseconds = finishedAtMilliseconds
        self.failure = failure
        self.failureCode = failureCode
        self.requests = requests
        self.hasDrafts = hasDrafts
        self.needsSignIn = needsSignIn
    }
}

/// Where passes are recorded: not in the cache, which an idle pass leaves untouched.
package protocol PassJournal: Sendable {
    /// Remembers how a pass ended; a journal that cannot be written is no reason to fail.
    func record(_ record: PassRecord)
    /// Counts requests that were made outside a pass.
    func count(requests: Int, at milliseconds: Int64)
}

/// Records nothing.
package struct NoPassJournal: PassJournal {
    package init() {}

    package func record(_ record: PassRecord) {}
    package func count(requests: Int, at milliseconds: Int64) {}
}

/// What is remembered of the passes of an account.
package struct PassHistory: Sendable, Hashable {
    /// When the last pass ended, in milliseconds since 1970; `nil` before the first.
    package var finishedAtMilliseconds: Int64?
    /// When the last pass without a failure ended.
    package var succeededAtMilliseconds: Int64?
    /// `nil` when the last pass succeeded.
    package var failure: String?
    /// Its word of ours; `nil` when the last pass succeeded.
    package var failureCode: String?
    /// How many passes in a row have failed, up to the last.
    package var failures = 0
    /// Whether the last pass failed as only a new sign-in mends.
    package var needsSignIn = false
    /// The UTC day that was last counted, in days since 1970.
    package var day: Int64 = 0
    /// Requests of that day.
    package var requestsToday = 0
    /// Requests of the day before it.
    package var requestsYesterday = 0
    /// Whether the sign-in covers drafts, as far as is known.
    package var hasDrafts = true

    package init() {}

    /// Takes the end of a pass in.
    package mutating func add(_ record: PassRecord) {
        add(requests: record.requests, at: record.finishedAtMilliseconds)
        finishedAtMilliseconds = record.finishedAtMilliseconds
        failure = record.failure
        failureCode = record.failureCode
        failures = record.failure == nil ? 0 : min(failures, .max - 1) + 1
        needsSignIn = record.needsSignIn
        if record.failure == nil { succeededAtMilliseconds = record.finishedAtMilliseconds }
        if let hasDrafts = record.hasDrafts { self.hasDrafts = hasDrafts }
    }

    /// Counts requests of an instant.
    package mutating func add(requests: Int, at milliseconds: Int64) {
        self = seen(at: milliseconds)
        requestsToday += requests
    }

    /// The history as of an instant: its days are that instant's; a clock that went back changes nothing.
    package func seen(at milliseconds: Int64) -> PassHistory {
        let day = milliseconds / 86_400_000
        guard day > self.day else { return self }
        var history = self
        history.requestsYesterday = day - self.day == 1 ? requestsToday : 0
        history.requestsToday = 0
        history.day = day
        return history
    }
}
