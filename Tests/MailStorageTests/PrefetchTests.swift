import MailModel
import Platform
import SQLite
import Testing

@testable import MailStorage

func detail(_ summary: MessageSummary, text: String = "text", hasHTML: Bool = false) -> MessageDetail {
    MessageDetail(
        summary: summary, cc: [], bcc: [], deliveredToAddress: nil, textBody: text, htmlAvailable: hasHTML,
        internetMessageID: nil, inReplyTo: nil, references: [], attachments: [])
}

private let html = MessageHTML(
    html: "<p>x</p>", quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)

@Test func `threads without bodies are found newest first, and no longer once they have them`() async throws {
    let bench = try Bench()
    let store = bench.store
    let old = message("old", thread: "t1", at: 1)
    let new = message("new", thread: "t2", at: 9)
    try await bench.put(old, new, message("reply", thread: "t1", at: 5))
    #expect(
        try await store.bodilessThreads(since: nil, threadsMax: 9, messagesMax: 9) == [
            BodilessThread(id: ThreadID("t2"), messages: [MessageID("new")]),
            BodilessThread(id: ThreadID("t1"), messages: [MessageID("reply"), MessageID("old")]),
        ])
    #expect(try await store.bodilessThreads(since: instant(6), threadsMax: 9, messagesMax: 9).count == 1)
    #expect(try await store.bodilessThreads(since: nil, threadsMax: 1, messagesMax: 9).count == 1)
    #expect(try await store.bodilessThreads(since: nil, threadsMax: 9, messagesMax: 1).map(\.messages.count) == [1, 1])
    try await store.commitDetails([detail(old), detail(new, hasHTML: true)])
    #expect(
        try await store.bodilessThreads(since: nil, threadsMax: 9, messagesMax: 9).map(\.messages) == [
            [MessageID("new")], [MessageID("reply")],
        ])
    try await store.commitHTML(html, for: MessageID("new"))
    try await store.recordUnavailable([MessageID("reply"), MessageID("nobody")])
    #expect(try await store.bodilessThreads(since: nil, threadsMax: 9, messagesMax: 9) == [])
}

/// Fails when access that comes back leaves a message without its text for good, or what is here of it is lost.
@Test func `what was refused is asked for again`() async throws {
    let bench = try Bench()
    let store = bench.store
    let (plain, partly, gone) = (
        message("plain", thread: "t1", at: 1), message("partly", thread: "t2", at: 2),
        message("gone", thread: "t3", at: 3)
    )
    try await bench.put(plain, partly, gone)
    try await store.commitDetails([detail(partly, hasHTML: true)])
    try await store.recordRefused([plain.id, partly.id, MessageID("nobody")])
    try await store.recordUnavailable([gone.id])
    #expect(try await store.bodilessThreads(since: nil, threadsMax: 9, messagesMax: 9) == [])
    try await store.retryRefused()
    let lacking = try await store.bodilessThreads(since: nil, threadsMax: 9, messagesMax: 9)
    #expect(lacking.flatMap(\.messages) == [partly.id, plain.id])
    try await store.commitHTML(html, for: partly.id)
    #expect(
        try await store.bodilessThreads(since: nil, threadsMax: 9, messagesMax: 9).flatMap(\.messages) == [plain.id])
    let reader = try bench.reader()
    let version = try await reader.dataVersion()
    try await store.retryRefused()
    #expect(try await reader.dataVersion() == version)
}

/// Fails when looking for bodies to fetch reads every message.
@Test func `what lacks a body is found through its index alone`() throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    let database = try CacheFile.open(path, owner: "test").database
    let plan = try database.statement("EXPLAIN QUERY PLAN " + MailStore.bodilessSQL)
    var steps: [String] = []
    while try plan.step() { steps.append(plan.text(3)) }
    #expect(steps == ["SEARCH messages USING COVERING INDEX messages_bodiless_idx (activity_key>?)"])
}

@Test func `a body that is here is not written again`() async throws {
    let bench = try Bench()
    let summary = message("1")
    try await bench.put(summary)
    try await bench.store.commitDetails([detail(summary)])
    let reader = try bench.reader()
    let version = try await reader.dataVersion()
    try await bench.store.commitDetails([detail(summary, text: "another")])
    #expect(try await reader.dataVersion() == version)
    #expect(try await reader.message(summary.id)?.detail?.textBody == "text")
}

/// Fails when a rebuild loses what was opened, or brings back what is gone.
@Test func `bodies are carried over from another cache of the account`() async throws {
    let old = try Bench()
    let kept = message("kept")
    let gone = message("gone")
    let whole = message("whole")
    try await old.put(gone, kept, whole)
    try await old.store.commitDetails([detail(gone), detail(kept, text: "old text", hasHTML: true), detail(whole)])
    try await old.store.commitHTML(html, for: kept.id)
    let new = try Bench()
    try await new.put(whole, message("other"), kept)
    try await new.store.commitDetails([detail(whole, text: "fresh")])
    #expect(try await new.store.carryBodies(from: old.path, owner: "test") == 1)
    let reader = try new.reader()
    let carried = try #require(try await reader.message(kept.id))
    #expect(carried.detail?.textBody == "old text" && carried.html == html)
    #expect(try await reader.message(whole.id)?.detail?.textBody == "fresh")
    #expect(try await reader.message(gone.id) == nil)
    #expect(
        try await new.store.bodilessThreads(since: nil, threadsMax: 9, messagesMax: 9).map(\.messages) == [
            [MessageID("other")]
        ])
    #expect(try await new.store.carryBodies(from: old.path, owner: "test") == 0)
    try await new.put(message("after"))
}

@Test func `nothing is carried over from a file that is not sound`() async throws {
    let new = try Bench()
    try await new.put(message("1"))
    #expect(try await new.store.carryBodies(from: new.path + ".none", owner: "test") == 0)
    let other = try Bench()
    try await other.put(message("1"))
    try await other.store.commitDetails([detail(message("1"))])
    await other.store.tidy()
    #expect(try await new.store.carryBodies(from: other.path, owner: "somebody") == 0)
    let damaged = Bench.newPath()
    defer { Bench.remove(damaged) }
    var bytes = try Files.read(other.path)
    for index in stride(from: 4_096 * 3, to: bytes.count, by: 7) { bytes[index] ^= 0x5A }
    try Files.replace(damaged, with: bytes)
    #expect(try await new.store.carryBodies(from: damaged, owner: "test") == 0)
    #expect(try await new.store.carryBodies(from: other.path, owner: "test") == 1)
}
