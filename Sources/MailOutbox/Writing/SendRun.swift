internal import MailAPI
internal import MailModel
internal import MailStorage

/// One send from its first step to its last: does what the machine says.
struct SendRun {
    let stage: SendStage
    let send: Send

    private var machine: SendMachine
    /// What the row says now.
    private var status: SendStatus
    private var outcome: SendOutcome?
    /// Why nothing more is sent; `nil` while more is.
    private(set) var ending: DrainEnding?
    /// Why the copy could not be shown.
    private var unshown: (any Error)?

    /// Pages of the Sent folder that are read at most; a copy is among the first.
    private static let pagesMax = 20
    /// How long a request may go on when the program is told to end.
    private static let grace = Duration.seconds(5)

    init(stage: SendStage, send: Send) {
        (self.stage, self.send, status) = (stage, send, send.status)
        machine = SendMachine(send, now: stage.surroundings.now())
    }

    /// Runs until the send is settled for now, or was taken back.
    ///
    /// - Throws: `OutboxError`, `CancellationError`; `StoreError` once it is settled when the copy cannot be shown.
    mutating func run() async throws {
        var step: SendMachine.Step? = machine.begin()
        while let next = step { step = try await perform(next) }
        if let unshown { throw unshown }
    }

    private mutating func perform(_ step: SendMachine.Step) async throws -> SendMachine.Step? {
        switch step {
        case .bring:
            let brought = try await stage.drafts.bring(send.draft)
            return machine.brought(brought)
        case .look(let message): return try await look(at: message)
        case .readOriginal(let message): return try await readOriginal(message)
        case .post(let composition, let sentAfter): return try await post(composition, sentAfter: sentAfter)
        case .probe: return try await probe()
        case .settle(let outcome, let ending):
            try await settle(outcome)
            self.ending = ending
            return nil
        }
    }

    private mutating func settle(_ outcome: SendOutcome) async throws {
        try await stage.queue.settle(send.id, from: status, outcome, at: stage.surroundings.now())
        self.outcome = outcome
        stage.surroundings.tell(.sendChanged(send.id, send.draft, outcome.status))
    }

    private mutating func look(at message: MessageID) async throws -> SendMachine.Step {
        do {
            // The server tells the oldest hundred; the newest are here after a pass.
            let told = try await stage.server.thread(of: message).map(\.summary)
            let known = try await stage.copies.conversation(of: message)
            let claimed = try await stage.queue.claimedCopies()
            return machine.looked(told + known, claimed: claimed)
        } catch let error as MailAPIError {
            return machine.unread(error)
        }
    }

    private mutating func readOriginal(_ message: MessageID) async throws -> SendMachine.Step {
        do {
            guard try await isSent(message) else { return machine.readOriginal(nil) }
            let original = try await stage.surroundings.original(message)
            return machine.readOriginal(original)
        } catch let error as MailAPIError {
            return machine.unread(error)
        }
    }

    /// Whether a message can be passed on by `/send`, which ends the draft: not where HQBase 1.2 has to copy its files.
    private func isSent(_ message: MessageID) async throws -> Bool {
        if try await stage.server.features().hasDraftChanges { return true }
        guard case .forward(_, withFiles: true)? = try await stage.queue.draft(send.draft)?.content.origin else {
            return true
        }
        let original = try await stage.server.message(message)
        return original.attachments.isEmpty && !original.summary.hasAttachments
    }

    /// Makes the request, once: the row says so before, so that a killed process never makes it a second time.
    private mutating func post(_ composition: Composition, sentAfter: Timestamp) async throws -> SendMachine.Step? {
        try Task.checkCancellation()
        let isMeant = try await stage.queue.beginSend(
            send.id, composition.content, sentAfter: sentAfter, at: stage.surroundings.now())
        // The person took it back meanwhile.
        guard isMeant else { return nil }
        status = .inFlight
        stage.surroundings.tell(.sendChanged(send.id, send.draft, .inFlight))
        let answer = await request(composition.mail)
        // First the copy is shown, then the draft goes: killed in between, the copy is looked for and found.
        if case .sent(let copy) = answer { await show(copy) }
        return machine.answered(answer)
    }

    /// Shows a copy in place of the draft that the server had; before the next pass the draft would be shown again.
    ///
    /// Where that cannot be written, the mail is sent all the same, and a pass shows it.
    private mutating func show(_ copy: MessageSummary) async {
        do {
            let draft = try await stage.queue.draft(send.draft)?.server?.id
            try await stage.copies.insert(sent: copy, of: draft)
        } catch {
            unshown = error
        }
    }

    /// The request; one that is under way is given some time to end when the program is told to.
    private func request(_ mail: OutgoingMail) async -> SendMachine.Answer {
        let (server, id) = (stage.server, send.id)
        let request = Task { try await server.send(mail, requestID: id) }
        do {
            return .sent(
                try await withTaskCancellationHandler {
                    try await request.value
                } onCancel: {
                    Task {
                        try? await Task.sleep(for: SendRun.grace)
                        request.cancel()
                    }
                })
        } catch let failure as WriteFailure {
            return .failed(failure)
        } catch {
            return .cancelled
        }
    }

    /// Looks for the Sent copy: the oldest that fits and that no other send has claimed.
    private mutating func probe() async throws -> SendMachine.Step {
        guard let copy = try await sought() else { return machine.probed(nil) }
        do {
            guard let found = try await search(copy) else { return machine.probed(nil) }
            await show(found)
            return machine.probed(found.id)
        } catch let error as MailAPIError {
            return machine.unprobed(error)
        }
    }

    /// What the copy looks like: the mail of the last request, else the draft, which another device may have sent.
    private func sought() async throws -> SentCopy? {
        guard let current = try await stage.queue.send(send.id) else { return nil }
        if let copy = SentCopy(current) { return copy }
        guard current.mayBeElsewhere, let draft = try await stage.queue.draft(send.draft),
            draft.revision == current.revision
        else { return nil }
        return SentCopy(draft)
    }

    private func search(_ copy: SentCopy) async throws -> MessageSummary? {
        let mailbox = try await stage.queue.draft(send.draft)?.content.mailbox
        let claimed = try await stage.queue.claimedCopies()
        var (candidates, next) = ([MessageSummary](), String?.none)
        for _ in 0..<SendRun.pagesMax {
            let page = try await stage.server.sent(of: mailbox, next: next)
            candidates += page.messages.filter { copy.mayBe($0) && !claimed.contains($0.id) }
            next = page.next
            guard next != nil, let last = page.messages.last, last.activityAt >= copy.notBefore else { break }
        }
        for candidate in candidates.sorted(by: { $0.createdAt < $1.createdAt }) {
            do {
                if copy.matches(try await stage.server.message(candidate.id)) { return candidate }
            } catch MailAPIError.notFound {
                continue
            }
        }
        return nil
    }

    /// Adds what became of it to a drain's report.
    func count(in report: inout DrainReport) {
        switch outcome?.kind {
        case .sent:
            report.done += 1
            report.sent += 1
        case .refused:
            report.dropped += 1
            report.refused += 1
        default: break
        }
    }
}

extension SendOutcome {
    /// The status it leads to.
    var status: SendStatus {
        switch kind {
        case .queued: .queued
        case .held(let reason, _): .held(reason)
        case .refused: .refused(failure ?? "")
        case .unknown: .unknown
        case .sent(let message, _): .sent(message)
        }
    }
}
