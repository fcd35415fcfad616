import MailModel
import Testing

@testable import MailStorage
@testable import SQLite

/// How SQLite would run a statement, a step a line.
private func plan(_ sql: String) throws -> [String] {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    let database = try CacheFile.open(path, owner: "test").database
    let row = try database.statement("EXPLAIN QUERY PLAN " + sql)
    var steps: [String] = []
    while try row.step() { steps.append(row.text(3)) }
    return steps
}

/// Fails when a screen would have to sort or read a whole table.
@Test func `a conversation list is read in its order without sorting`() throws {
    let steps = try plan(MailReader.conversationSQL)
    #expect(steps.first == "SEARCH l USING PRIMARY KEY (list=?)")
    #expect(!steps.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN") }, "\(steps)")
}

/// Fails when deriving a conversation would read its messages' rows.
@Test func `a thread's messages are derived from one index alone`() throws {
    #expect(
        try plan(ThreadMembers.sql) == ["SEARCH messages USING COVERING INDEX messages_thread_idx (thread_pk=?)"])
}

/// Fails when a commit or an opened conversation would look at every row.
@Test(arguments: [
    MailStore.unassignedSQL, MailStore.bodilessSQL, MessageRow.updateSQL, MessageRow.markSQL, MessageRow.moveSQL,
    StoredMessage.sql,
    ServerRows.truthSQL, Echoes.echoSQL, ServerRows.keepSQL,
    KeyLookup.sql("messages"), KeyLookup.sql("threads"),
    KeyLookup.messageSQL, ThreadMembers.tieSQL,
    MailReader.messagesSQL("t.id_hash = ?1 AND t.id = ?2"), MailReader.messagesSQL("m.id_hash = ?1 AND m.id = ?2"),
])
func `rows are found by a key`(_ sql: String) throws {
    let steps = try plan(sql)
    #expect(!steps.isEmpty && !steps.contains { $0.contains("SCAN") }, "\(steps)")
}

/// Fails when the newest messages of a folder would be found by sorting the folder.
@Test func `a folder's messages come in the order of the index`() throws {
    let steps = try plan(MailReader.messagesSQL(folder: .inbox, mailbox: false))
    #expect(steps.contains { $0.contains("messages_folder_idx (folder=?)") }, "\(steps)")
    // Only what has the same instant is sorted.
    #expect(!steps.contains("USE TEMP B-TREE FOR ORDER BY"), "\(steps)")
}

/// Fails when each pass would look at all mail that was ever told of.
@Test func `mail that nobody was told of is found by its index`() throws {
    #expect(try plan(Arrivals.untoldSQL).contains { $0.contains("arrivals_untold_idx") })
}

/// How SQLite would run a statement of the outbox.
private func outboxPlan(_ sql: String) throws -> [String] {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    let database = try OutboxFile.open(path, owner: "test")
    let row = try database.statement("EXPLAIN QUERY PLAN " + sql)
    var steps: [String] = []
    while try row.step() { steps.append(row.text(3)) }
    return steps
}

/// Fails when replaying or putting operations together would look at the whole queue for each message.
@Test(arguments: [
    OutboxQueue.waitingSQL, OutboxView.messageSQL, OutboxRevision.touchedSQL, OperationRow.sql("id = ?1"),
])
func `what waits for a message is found by a key`(_ sql: String) throws {
    let steps = try outboxPlan(sql)
    #expect(!steps.isEmpty && !steps.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(steps)")
}

/// Fails when a drain would sort the queue, or look at all of it for each operation.
@Test func `what is due is read in the queue's order`() throws {
    let steps = try outboxPlan(OperationRow.sql(OutboxStore.dueCondition))
    #expect(steps.first == "SCAN o" && !steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
    #expect(steps.contains { $0.contains("operations_message_idx (message_id=? AND sequence<?)") }, "\(steps)")
}

/// Fails when each drain would read all mail that was ever sent.
@Test(arguments: [
    (OutboxStore.dueSends, "sends_status_idx"), (OutboxStore.unsent, "sends_open_idx"),
    (OutboxStore.minded, "sends_status_idx"), (OutboxStore.mindedBy, "sends_status_idx"),
    (OutboxStore.ofDraft, "sends_draft_idx"),
])
func `mail that is not done is found by an index`(_ condition: String, index: String) throws {
    let steps = try outboxPlan(SendRow.sql(condition))
    #expect(steps.contains { $0.contains(index) }, "\(steps)")
    #expect(!steps.contains { $0 == "SCAN sends" || $0 == "SCAN w" }, "\(steps)")
}

/// Fails when mail that was sent would be read to find what is due, or what hides a draft.
@Test(arguments: [
    (OutboxStore.nextSend, "sends_status_idx"), (OutboxStore.claimed, "sends_sent_idx"),
    (OutboxDrafts.goingSQL, "sends_going_idx"),
])
func `what is known of mail is found by an index`(_ sql: String, index: String) throws {
    let steps = try outboxPlan(sql)
    #expect(steps.first?.contains(index) == true && steps.count == 1, "\(steps)")
}

/// Fails when drafts that wait would have all files or sends read for each.
@Test func `files and sends of drafts that are due are found by their draft`() throws {
    let steps = try outboxPlan(OutboxStore.dueDrafts)
    #expect(steps.filter { $0.contains("SCAN") } == ["SCAN drafts"], "\(steps)")
    #expect(steps.contains { $0.contains("draft_files_draft_idx") }, "\(steps)")
}

/// Fails when showing drafts would look at all of this machine's for each of the server's.
@Test func `drafts of this machine hide the server's by an index`() throws {
    let steps = try plan(DraftRows.shownSQL)
    #expect(steps.contains { $0.contains("local_drafts") && $0.contains("server_id=?") }, "\(steps)")
}
