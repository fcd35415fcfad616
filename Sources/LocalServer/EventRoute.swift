internal import SQLite

/// A position in both journals, which is the id of an event.
struct JournalPosition: Hashable, Sendable {
    var messages: Int64
    var drafts: Int64

    init(messages: Int64, drafts: Int64) {
        self.messages = messages
        self.drafts = drafts
    }

    /// Reads the id of an event; `nil` for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let messages = Int64(parts[0]), let drafts = Int64(parts[1]), messages >= 0, drafts >= 0
        else { return nil }
        self.init(messages: messages, drafts: drafts)
    }

    var text: String { "\(messages).\(drafts)" }
}

/// What one stream has to hear of, and up to where it has.
struct EventWatch: Sendable {
    /// The request that opened the stream; who asks is found out anew each time.
    let request: ServerRequest
    var position: JournalPosition
    /// What the caller can reach, as text to compare.
    var access = ""

    /// The event that says that something changed, and nothing else.
    var event: String { "id: \(position.text)\nevent: changed\ndata: {}\n\n" }
}

/// GET `/events`: an event stream that tells that something the caller may see has changed.
///
/// HQBase has no such route. It takes the scope for reading; an event names its position in the journals as id and no
/// more. `Last-Event-ID` resumes; a position that never was counts as a change.
enum EventRoute {
    static let path = "/api/v1/events"

    /// The answer, whose body goes on for as long as the caller has access.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    static func answer(_ request: ServerRequest, _ service: Service, _ hub: EventHub) throws -> ServerAnswer {
        let (watch, greeting) = try service.withStore { try $0.beginWatch(request) }
        var answer = ServerAnswer(contentType: "text/event-stream; charset=utf-8")
        answer.headers.append(QueryItem(name: "x-accel-buffering", value: "no"))
        if request.method == "GET" { answer.stream = hub.add(watch, greeting: greeting) }
        return answer
    }
}

extension Store {
    /// What a new stream watches, and what it says first.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func beginWatch(_ request: ServerRequest) throws -> (EventWatch, greeting: String) {
        let caller = try caller(request, needs: .read)
        let now = try journalPosition()
        var watch = EventWatch(request: request, position: now, access: try access(of: caller))
        guard let last = request.lastEventID, !last.isEmpty else { return (watch, "id: \(now.text)\n\n") }
        guard let position = JournalPosition(last), position.messages <= now.messages, position.drafts <= now.drafts
        else { return (watch, watch.event) }
        watch.position = position
        return (watch, "\n")
    }

    /// Whether there is news for a stream; the watch then stands at the end of the journals.
    ///
    /// - Throws: `Refusal` when the caller may not listen any more, or `SQLiteError`.
    func look(for watch: inout EventWatch) throws -> Bool {
        let caller = try caller(watch.request, needs: .read)
        let before = watch
        watch.position = try journalPosition()
        watch.access = try access(of: caller)
        if watch.access != before.access { return true }
        if watch.position.messages > before.position.messages,
            try hasMessageChange(after: before.position.messages, caller)
        {
            return true
        }
        guard watch.position.drafts > before.position.drafts else { return false }
        // A token that may not read drafts hears nothing of them.
        guard (try? self.caller(watch.request, needs: .send)) != nil else { return false }
        return try text(
            "SELECT draftId FROM draftJournal WHERE userId = ?1 AND sequence > CAST(?2 AS INTEGER) LIMIT 1",
            caller.user, String(before.position.drafts)) != nil
    }

    private func journalPosition() throws(SQLiteError) -> JournalPosition {
        JournalPosition(
            messages: try database.scalar("SELECT max(sequence) FROM messageJournal") ?? 0,
            drafts: try database.scalar("SELECT max(sequence) FROM draftJournal") ?? 0)
    }

    /// The caller's rights and the state of the mailbox list: a change of either is news.
    private func access(of caller: Caller) throws(SQLiteError) -> String {
        let mailboxes = try text("SELECT count(*) || ' ' || ifnull(max(updatedAt), '') FROM mailboxes") ?? ""
        let grants = caller.grants.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.name)" }
        return ([caller.role, mailboxes] + grants).joined(separator: "\n")
    }

    private func hasMessageChange(after position: Int64, _ caller: Caller) throws(SQLiteError) -> Bool {
        if caller.readsNothing { return false }
        let statement = try database.statement(
            "SELECT 1 FROM messageJournal j WHERE \(caller.condition("j")) AND j.sequence > ? LIMIT 1")
        defer { statement.reset() }
        statement.bind(caller.bind(statement, from: 1), position)
        return try statement.step()
    }
}
