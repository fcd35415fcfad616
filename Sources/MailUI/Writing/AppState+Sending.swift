internal import DisplayText
package import MailModel
internal import TerminalUI

/// From the key that sends to the copy in Sent.
extension AppState {
    mutating func handleSending(_ event: WritingEvent) -> [Effect] {
        switch event {
        case .sendQueued(let number, let send):
            guard writing.composer?.number == number else { return [] }
            writing.composer = nil
            writing.countdowns.append(send)
            notice = nil
            // Without a delay there is nothing to take back.
            if secondsLeft(send) > 0 {
                acted.note(ActedLog.Entry(orders: [accountLabel: 0], letter: .send(send.id)))
            }
            return [.writing(.loadDrafts)]
        case .notQueued(let number, let reason):
            guard writing.composer?.number == number else { return [] }
            writing.composer?.isLeaving = false
            notice = reason
        case .takenBack(let number, let id, let draft, let original):
            writing.countdowns.removeAll { $0.id == id }
            notice = "Taken back; nothing was sent."
            return show(draft, original: original, number: number) + [.writing(.loadDrafts)]
        case .notTakenBack(let id, let reason):
            writing.countdowns.removeAll { $0.id == id }
            notice = reason
            return [.writing(.loadDrafts)]
        default: break
        }
        return []
    }

    /// Takes back what was done last where that was about a mail being written; `nil` where undo is about other mail.
    mutating func undoWriting() -> [Effect]? {
        guard let last = lastActed, let letter = last.letter, let label = last.orders.keys.first else { return nil }
        acted.takeLast(of: label)
        if case .send(let id) = letter, within(label, { !$0.canTakeBack(id) }) {
            notice = "It is too late to take the mail back" + tooLateToUndo
            return [.bell]
        }
        let going = isCombinedShown ? leaveCombined() + showAccount(label) : []
        switch letter {
        case .send(let id):
            writing.lastNumber += 1
            return going + [.writing(.takeBack(writing.lastNumber, id))]
        case .discard(let timer): return going + bringBack(timer: timer)
        }
    }

    /// What undo meets first here.
    private var lastActed: ActedLog.Entry? { isCombinedShown ? acted.last : acted.last(of: accountLabel) }

    private func canTakeBack(_ id: SendID) -> Bool {
        writing.countdowns.contains { $0.id == id && $0.status == .queued }
    }

    /// The seconds in which a send can still be taken back; 0 or less when that is over.
    private func secondsLeft(_ send: Send) -> Int64 { send.notBefore / 1_000 - now }

    /// Whether a send on the status line is looked at each second: until shortly after its time.
    ///
    /// What becomes of it then is told by who sends it; mail that waits for a server wakes nobody.
    var isSending: Bool { writing.countdowns.contains { secondsLeft($0) >= -2 } }

    /// Follows what was sent last, and tells how it ended.
    mutating func followCountdowns() {
        for send in writing.countdowns {
            guard let entry = writing.sends.first(where: { $0.send.id == send.id }) else { continue }
            if let sentence = sentence(ofEnded: entry) {
                notice = sentence
                writing.countdowns.removeAll { $0.id == send.id }
            } else if let place = writing.countdowns.firstIndex(where: { $0.id == send.id }) {
                writing.countdowns[place] = entry.send
            }
        }
        // There is nothing to decide any more about what is on its way.
        if writing.asksAtQuit, waitingSends.isEmpty { writing.asksAtQuit = false }
    }

    /// What is told of a send once it is known how it ended; `nil` before.
    private func sentence(ofEnded entry: SendEntry) -> String? {
        switch entry.send.status {
        case .queued, .inFlight: nil
        case .sent: "Sent: “\(subject(of: entry))”."
        case .unknown:
            "It is not known whether “\(subject(of: entry))” was sent. Herald looks for it; :outbox tells more."
        case .held(let reason): "Not sent: \(reason.sentence) :outbox tells more."
        case .refused: "Not sent: \(entry.reason ?? "the server refused it.") It is in Drafts."
        }
    }

    private func subject(of entry: SendEntry) -> String {
        TextDisplay.truncated(MailDisplay.subject(entry.send.content?.subject ?? entry.subject ?? ""), columns: 40)
    }

    /// Whether the status line follows a send.
    package func watches(_ id: SendID) -> Bool { writing.countdowns.contains { $0.id == id } }

    /// How the last send stands, for the status line; `nil` when it says nothing.
    var sendingText: String? {
        guard let send = writing.countdowns.last else { return nil }
        guard let left = countdownText else {
            return send.status == .queued && sync.isOffline
                ? "Queued; it is sent when the server can be reached" : "Sending…"
        }
        guard let key = keyText(.undo), lastActed?.letter == .send(send.id) else { return left }
        return presentation.isLinear ? "\(left); \(key) takes it back" : "\(left) — \(key) takes it back"
    }

    /// How long the last send can still be taken back, in few words; `nil` when that is over.
    var countdownText: String? {
        guard let send = writing.countdowns.last, send.status == .queued, secondsLeft(send) > 0 else { return nil }
        // A text that changes each second would be read out again and again.
        if presentation.isLinear { return "Sends soon" }
        let waiting = writing.countdowns.count { $0.status == .queued && secondsLeft($0) > 0 }
        return waiting == 1
            ? "Sends in \(secondsLeft(send)) s" : "\(waiting) mails wait, the last \(secondsLeft(send)) s"
    }

    /// The sends of all accounts that wait out their time.
    private var waitingSends: [(account: String, id: SendID)] {
        let all =
            [(accountLabel, writing.countdowns)] + parked.sorted { $0.key < $1.key }.map { ($0, $1.writing.countdowns) }
        return all.flatMap { label, sends in
            sends.filter { $0.status == .queued && secondsLeft($0) > 0 }.map { (label, $0.id) }
        }
    }

    /// Lets the program end only once what is typed is saved, and asks what becomes of mail that waits.
    mutating func guardQuit(_ effects: [Effect]) -> [Effect] {
        guard effects.contains(.quit) else { return effects }
        let others = effects.filter { $0 != .quit }
        if let composer = writing.composer, composer.saving != nil || composer.isDirty && !isUntouched(composer) {
            // Where the disk takes nothing the text is not given up for a key; what it is taking is waited for.
            return others + end(.quit)
        }
        if !waitingSends.isEmpty, !writing.asksAtQuit {
            writing.asksAtQuit = true
            isInterruptArmed = false
            return others
        }
        let ends = dropUntouched() + endThrown()
        // Closed in good order, so that the next start does not take it for one that was cut off.
        writing.composer = nil
        return others + ends + [.quit]
    }

    /// What is asked before the program ends.
    var quitQuestionText: String? {
        writing.asksAtQuit ? "Mail waits: y send now, w next run, d keep as draft, Esc stay" : nil
    }

    /// Takes the answer to what becomes of waiting mail when the program ends.
    mutating func handleQuitQuestion(_ input: InputEvent) -> [Effect] {
        guard case .key(let key, let modifiers) = input else { return [] }
        let answer: (SendID) -> WritingEffect?
        switch (key, modifiers) {
        case (.character("y"), []), (.character("Y"), _): answer = { .sendNow($0) }
        // It waits out its time, and goes with the next run.
        case (.character("w"), []), (.character("W"), _), (.character("c"), .control): answer = { _ in nil }
        case (.character("d"), []), (.character("D"), _): answer = { .keepAsDraft($0) }
        default:
            writing.asksAtQuit = false
            return []
        }
        let effects: [Effect] = waitingSends.compactMap { label, id in
            answer(id).map { label == accountLabel ? .writing($0) : .of(label, .writing($0)) }
        }
        forgetCountdowns()
        return effects + [.quit]
    }

    private mutating func forgetCountdowns() {
        (writing.asksAtQuit, writing.countdowns) = (false, [])
        for label in parked.keys { parked[label]?.writing.countdowns = [] }
    }
}

extension HoldReason {
    /// Why a send waits, for people.
    var sentence: String {
        switch self {
        case .changedElsewhere: "The draft was changed elsewhere."
        case .answeredMeanwhile: "Somebody has answered in the conversation meanwhile."
        case .interrupted: "Herald ended before its time had come."
        case .credentialRefused: "The server no longer takes the sign-in."
        case .notSaved: "The draft or a file of it could not be brought to the server."
        case .gone: "The draft, or the message that it is about, is gone; another device may have sent it."
        case .asked: "You wanted it to wait."
        }
    }
}
