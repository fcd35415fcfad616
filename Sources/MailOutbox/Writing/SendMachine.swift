package import MailAPI
package import MailModel
package import MailStorage

/// Decides, step by step, what is done about one send; without clock, disk or network.
///
/// Each method takes what the step before came to, and answers the next one. Exactly one step makes the request that
/// sends, and none follows it but looking for its copy.
package struct SendMachine: Sendable {
    /// What is to be done next.
    package enum Step: Sendable, Hashable {
        /// Save the draft with its files.
        case bring
        /// Look at what was sent in the conversation of a message.
        case look(at: MessageID)
        /// Find out whether the server copies originals, and if so, how the message reads when it is passed on.
        case readOriginal(MessageID)
        /// Note that the send is under way, and make the request, once.
        case post(Composition, sentAfter: Timestamp)
        /// Look for the Sent copy.
        case probe
        /// Note what became of it.
        case settle(SendOutcome, ending: DrainEnding?)
    }

    /// What the request came to.
    package enum Answer: Sendable, Hashable {
        case sent(MessageSummary)
        case failed(WriteFailure)
        /// The task was cancelled while the request was under way.
        case cancelled
    }

    private let send: Send
    private let now: Int64
    private var draft: LocalDraft?
    private var savedAt = Timestamp("")
    private var consumesDraft = false
    /// Why nobody knows whether it was sent, once the request was made.
    private var doubt: SendCode?

    /// A machine for a send that is due at an instant, in milliseconds since 1970.
    package init(_ send: Send, now: Int64) {
        self.send = send
        self.now = now
        if send.status == .unknown { doubt = send.lastFailure.flatMap { SendCode(rawValue: $0) } ?? .interrupted }
    }

    /// The first step.
    ///
    /// What may have arrived, from here or from another device, is looked for, also before the person's word has it sent.
    package func begin() -> Step {
        send.status == .unknown || send.mayHaveArrived || send.mayBeElsewhere ? .probe : .bring
    }

    /// Goes on after the draft was saved.
    package mutating func brought(_ brought: BroughtDraft) -> Step {
        switch brought {
        case .saved(let draft, let at):
            // What is sent is what the person saw when they said so.
            if draft.isDiscarded { return hold(.gone) }
            if draft.revision != send.revision { return hold(.changedElsewhere) }
            if let known = send.serverDraft, draft.server?.id != known { return hold(.gone) }
            self.draft = draft
            savedAt = at
            switch draft.content.origin {
            case .new: return composed(original: nil)
            case .reply(let message): return .look(at: message)
            case .forward(let message, _): return .readOriginal(message)
            }
        case .changedElsewhere: return hold(.changedElsewhere)
        case .gone: return hold(.gone)
        case .notSaved: return hold(.notSaved)
        case .notYet: return settle(.queued(notBefore: nil))
        case .failed(let failure): return failed(SendCode(failure), wait: failure.retryAfterMilliseconds, failure.error)
        }
    }

    /// Goes on after a look at the conversation; `claimed` are copies of the person's own sends.
    package mutating func looked(_ messages: [MessageSummary], claimed: Set<MessageID>) -> Step {
        let original = draft?.content.origin.original
        let sent = messages.filter { $0.direction == .outbound }.sorted { $0.createdAt < $1.createdAt }
        let seen = sent.last { $0.id == send.seen }
        let newer = sent.last { message in
            if claimed.contains(message.id) || message.id == send.seen || message.id == original { return false }
            // Where nothing was sent before, or what was is gone, only the time can tell.
            return message.createdAt > seen?.createdAt ?? draft?.createdAt ?? send.createdAt
        }
        if let newer { return hold(.answeredMeanwhile, seen: newer.id) }
        return composed(original: nil)
    }

    /// Goes on with how the original reads; `nil` when the server writes it itself (HQBase 1.2).
    package mutating func readOriginal(_ original: String?) -> Step { composed(original: original) }

    /// Goes on after a read failed: nothing was sent.
    package func unread(_ error: MailAPIError) -> Step { failed(SendCode(error), wait: nil, error) }

    /// Goes on after the request.
    package mutating func answered(_ answer: Answer) -> Step {
        switch answer {
        case .sent(let message):
            return settle(.sent(message.id, consumesDraft ? .consumed : .mayRemain))
        case .cancelled:
            doubt = .interrupted
            return settle(.unknown(lookAt: nil), .interrupted)
        case .failed(let failure):
            let code = SendCode(failure)
            // What the server cannot have seen is as if it had failed before.
            if failure.reach == .notSent { return failed(code, wait: failure.retryAfterMilliseconds, failure.error) }
            let rule = SendTable.rule(code)
            if rule.outcome == .unknown {
                doubt = code
                return .probe
            }
            return settle(code, rule.outcome, failure.error, wait: failure.retryAfterMilliseconds, ends: rule.endsDrain)
        }
    }

    /// Goes on after the Sent copy was looked for: its identifier, or `nil` when it is not there.
    package mutating func probed(_ copy: MessageID?) -> Step {
        // The draft of a mail that another device sent has files of its own by now.
        let isOurs = doubt != nil || send.mayHaveArrived
        if let copy { return settle(.sent(copy, isOurs ? .mayRemain : .unsent)) }
        // Only the person's word sends again what may have arrived.
        guard let doubt else { return .bring }
        return settle(.unknown(lookAt: now + SendTable.lookWait(probes: send.probes)), doubt)
    }

    /// Goes on after the Sent copy could not be looked for.
    package func unprobed(_ error: MailAPIError) -> Step {
        guard let doubt else { return unread(error) }
        let code = SendCode(error)
        let rule = SendTable.rule(code)
        let ending = rule.endsDrainEarly ? SendMachine.ending(code, error, notBefore: nil) : nil
        // It is looked for as soon as there is a way again, unless the server does not allow it.
        let wait = rule.early == .queued ? nil : now + SendTable.lookWait(probes: send.probes)
        return .settle(SendOutcome(.unknown(lookAt: wait), failure: doubt.rawValue), ending: ending)
    }
}

extension SendMachine {
    private mutating func composed(original: String?) -> Step {
        guard let draft, let composition = Composition(draft, original: original) else { return hold(.notSaved) }
        consumesDraft = composition.consumesDraft
        return .post(composition, sentAfter: savedAt)
    }

    private func hold(_ reason: HoldReason, seen: MessageID? = nil) -> Step { settle(.held(reason, seen: seen)) }

    private func settle(_ kind: SendOutcome.Kind, _ code: SendCode? = nil) -> Step {
        .settle(SendOutcome(kind, failure: code?.rawValue), ending: nil)
    }

    /// What becomes of it when something failed before the request.
    private func failed(_ code: SendCode, wait: Int64?, _ error: MailAPIError) -> Step {
        let rule = SendTable.rule(code)
        return settle(code, rule.early, error, wait: wait, ends: rule.endsDrainEarly)
    }

    private func settle(
        _ code: SendCode, _ outcome: SendRule.Outcome, _ error: MailAPIError, wait: Int64?, ends: Bool
    ) -> Step {
        var notBefore: Int64?
        if code == .rateLimited { notBefore = now + (wait ?? SendTable.rateLimitMilliseconds) }
        let kind: SendOutcome.Kind
        switch outcome {
        case .queued: kind = .queued(notBefore: notBefore)
        case .held(let reason): kind = .held(reason, seen: nil)
        // An earlier request may have been carried out all the same.
        case .refused where send.mayHaveArrived, .unknown:
            kind = .unknown(lookAt: now + SendTable.lookWait(probes: send.probes))
        case .refused: kind = .refused
        }
        let ending = ends ? SendMachine.ending(code, error, notBefore: notBefore) : nil
        return .settle(SendOutcome(kind, failure: code.rawValue), ending: ending)
    }

    private static func ending(_ code: SendCode, _ error: MailAPIError, notBefore: Int64?) -> DrainEnding {
        DrainEnding(FailureCode(rawValue: code.rawValue) ?? .unclassified, error: error, notBefore: notBefore)
    }
}
