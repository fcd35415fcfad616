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
            (writing.countdown, notice) = (send, nil)
            return [.writing(.loadDrafts)]
        case .notQueued(let number, let reason):
            if writing.composer?.number == number { notice = reason }
        case .takenBack(let number, let id, let draft, let original):
            if writing.countdown?.id == id { writing.countdown = nil }
            notice = "Taken back; nothing was sent."
            return show(draft, original: original, number: number) + [.writing(.loadDrafts)]
        case .notTakenBack(let id, let reason):
            if writing.countdown?.id == id { writing.countdown = nil }
            notice = reason
            return [.writing(.loadDrafts)]
        default: break
        }
        return []
    }

    /// Takes the last send back while that can be done; `nil` when there is none, and undo is about other things.
    mutating func takeBackSend() -> [Effect]? {
        guard let send = writing.countdown, send.status == .queued else { return nil }
        writing.lastNumber += 1
        return [.writing(.takeBack(writing.lastNumber, send.id))]
    }

    /// Whether the send on the status line is looked at each second: until shortly after its time.
    ///
    /// What becomes of it then is told by who sends it; mail that waits for a server wakes nobody.
    var isSending: Bool { writing.countdown.map { $0.notBefore / 1_000 + 2 >= now } ?? false }

    /// Follows the send that was asked for last, and tells how it ended.
    mutating func followCountdown() {
        guard let send = writing.countdown, let entry = writing.sends.first(where: { $0.send.id == send.id }) else {
            return
        }
        writing.countdown = entry.send
        // There is nothing to decide any more about what is on its way.
        if entry.send.status != .queued, writing.quitQuestion == send.id { writing.quitQuestion = nil }
        switch entry.send.status {
        case .queued, .inFlight: return
        case .sent: notice = "Sent: “\(subject(of: entry))”."
        case .unknown:
            notice =
                "It is not known whether “\(subject(of: entry))” was sent. Herald looks for it; :outbox tells more."
        case .held(let reason): notice = "Not sent: \(reason.sentence) :outbox tells more."
        case .refused: notice = "Not sent: \(entry.reason ?? "the server refused it.") It is in Drafts."
        }
        writing.countdown = nil
    }

    private func subject(of entry: SendEntry) -> String {
        TextDisplay.truncated(MailDisplay.subject(entry.send.content?.subject ?? entry.subject ?? ""), columns: 40)
    }

    /// The send that the status line follows.
    package var watchedSend: SendID? { writing.countdown?.id }

    /// How the last send stands, for the status line; `nil` when it says nothing.
    var sendingText: String? {
        guard let send = writing.countdown else { return nil }
        guard send.status == .queued else { return "Sending…" }
        let left = send.notBefore / 1_000 - now
        if left <= 0 { return sync.isOffline ? "Queued; it is sent when the server can be reached" : "Sending…" }
        let undo = keyMap.keys(of: .undo, in: .list).first?.text ?? ":undo"
        return presentation.isLinear
            ? "Sends soon; \(undo) takes it back" : "Sends in \(left) s — \(undo) takes it back"
    }

    /// Lets the program end only once what is typed is saved, and asks what becomes of a send that waits.
    mutating func guardQuit(_ effects: [Effect]) -> [Effect] {
        guard effects.contains(.quit) else { return effects }
        let others = effects.filter { $0 != .quit }
        if let composer = writing.composer, composer.isDirty {
            // Where the disk takes nothing the text is not given up for a key.
            return others + end(.quit)
        }
        if let send = writing.countdown, send.status == .queued, send.notBefore / 1_000 > now,
            writing.quitQuestion == nil
        {
            writing.quitQuestion = send.id
            isInterruptArmed = false
            return others
        }
        return effects
    }

    /// What is asked before the program ends.
    var quitQuestionText: String? {
        writing.quitQuestion == nil
            ? nil : "Mail waits: y send now  w next run  d keep as draft  Esc stay"
    }

    /// Takes the answer to what becomes of a send when the program ends.
    mutating func handleQuitQuestion(_ input: InputEvent) -> [Effect] {
        guard let id = writing.quitQuestion, case .key(let key, let modifiers) = input else { return [] }
        let answer: WritingEffect
        switch (key, modifiers) {
        case (.character("y"), []), (.character("Y"), _): answer = .sendNow(id)
        case (.character("w"), []), (.character("W"), _), (.character("c"), .control):
            // It waits out its time, and goes with the next run.
            (writing.quitQuestion, writing.countdown) = (nil, nil)
            return [.quit]
        case (.character("d"), []), (.character("D"), _): answer = .keepAsDraft(id)
        default:
            writing.quitQuestion = nil
            return []
        }
        (writing.quitQuestion, writing.countdown) = (nil, nil)
        return [.writing(answer), .quit]
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
