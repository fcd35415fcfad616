import MailAPI
import MailModel
import MailOutbox
import MailStorage
import Testing

/// Answers that are lost on the way, before or after the server did what was asked.
@Suite(.timeLimit(.minutes(20)))
struct DraftLossTests {
    private let bench: DraftBench

    init() throws { bench = try DraftBench() }

    static let faults = [
        "close", "close&after=1", "status&status=500", "status&status=500&after=1", "cut&bytes=9", "broken",
    ]

    /// Drains until nothing is left, as later passes do, with text that was typed meanwhile.
    private func drain(_ local: LocalDraftID, typing content: DraftContent? = nil) async throws {
        try await bench.save()
        if let content { try await bench.store.saveDraft(local, content, at: bench.time) }
        for _ in 0..<5 { try await bench.save() }
    }

    /// Fails when a draft is made twice, or what was typed meanwhile is lost.
    @Test(arguments: faults, [false, true])
    func `a draft whose answer was lost is made once`(fault: String, types: Bool) async throws {
        var content = DraftContent.written()
        let draft = try await bench.create(content)
        try bench.control("/fault?kind=\(fault)&method=POST&path=/api/v1/drafts")
        content.text = "More"
        try await drain(draft.id, typing: types ? content : nil)

        #expect(try await bench.drafts().map(\.text) == [types ? "More" : "A"])
        let here = try #require(try await bench.draft(draft.id))
        #expect(!here.isUnsaved && here.sent == nil && here.copyOf == nil)
    }

    /// Fails when one's own lost save is taken for somebody else's.
    @Test(arguments: faults, [false, true])
    func `a save whose answer was lost is no conflict with itself`(fault: String, types: Bool) async throws {
        var content = DraftContent.written()
        let draft = try await bench.create(content)
        try await bench.save()
        content.text = "B"
        try await bench.store.saveDraft(draft.id, content, at: bench.time)
        try bench.control("/fault?kind=\(fault)&method=PATCH")
        content.text = "C"
        try await drain(draft.id, typing: types ? content : nil)

        #expect(try await bench.drafts().map(\.text) == [types ? "C" : "B"])
        #expect(try await bench.draft(draft.id)?.copyOf == nil)
        #expect(!bench.events.contains { $0.name == .conflictAutoMerged })
    }

    /// Fails when a file is on the draft twice, or not at all.
    @Test(arguments: faults)
    func `a file whose answer was lost is uploaded once`(fault: String) async throws {
        let draft = try await bench.create(.written())
        try await bench.save()
        try await bench.attach(try bench.file("a.bin", bytes: 3_000), to: draft.id)
        try bench.control("/fault?kind=\(fault)&method=POST&path=/api/v1/drafts/*")
        try await drain(draft.id)

        let there = try await bench.drafts()[0].attachments
        #expect(there.map(\.filename) == ["a.bin"])
        #expect(try await bench.draft(draft.id)?.files.map(\.state) == [.done(there[0].id)])
    }

    /// Fails when a lost answer costs a second upload of a file that is there.
    @Test func `a file that arrived is found, not sent again`() async throws {
        let draft = try await bench.create(.written())
        try await bench.save()
        try await bench.attach(try bench.file("a.bin", bytes: 3_000), to: draft.id)
        try bench.control("/fault?kind=close&after=1&method=POST&path=/api/v1/drafts/*")
        _ = bench.requests()
        try await bench.save()
        try await bench.save()
        #expect(bench.requests() == ["upload", "get"])
    }

    @Test(arguments: faults)
    func `a draft whose deletion was not answered is gone all the same`(fault: String) async throws {
        let draft = try await bench.create(.written())
        try await bench.save()
        try await bench.store.discardDraft(draft.id)
        try bench.control("/fault?kind=\(fault)&method=DELETE")
        try await drain(draft.id)
        #expect(try await bench.drafts().isEmpty)
        #expect(try await bench.draft(draft.id) == nil)
    }

    /// Fails when a draft that was thrown away while its making had no answer comes back from the server.
    @Test func `a draft thrown away while it is made does not come back`() async throws {
        let draft = try await bench.create(.written())
        try bench.control("/fault?kind=close&after=1&method=POST&path=/api/v1/drafts")
        try await bench.save()
        try await bench.store.discardDraft(draft.id)
        for _ in 0..<3 { try await bench.save() }
        #expect(try await bench.drafts().isEmpty)
        #expect(try await bench.draft(draft.id) == nil)
    }

    @Test func `a server that refuses the sign-in costs one request a drain, and a good one saves all`() async throws {
        let drafts = [try await bench.create(.written(text: "1")), try await bench.create(.written(text: "2"))]
        try bench.control("/fault?kind=status&status=401&code=INVALID_OAUTH_TOKEN&method=POST&times=2")
        for _ in 0..<2 {
            let report = try await bench.save()
            #expect(report.ending?.code == .signedOut)
        }
        #expect(bench.requests() == ["create", "create"])
        #expect(try await bench.save().saved == drafts.count)
    }

    @Test func `a wait that the server asks for is kept`() async throws {
        _ = try await bench.create(.written())
        try bench.control("/fault?kind=status&status=429&code=RATE_LIMITED&method=POST")
        #expect(try await bench.save().ending?.notBefore == bench.time + 5_000)
        _ = bench.requests()
        try await bench.save()
        #expect(bench.requests().isEmpty)
        #expect(try await bench.store.waitEnd(failure: "rate-limited", after: bench.time) == bench.time + 5_000)
        bench.passTime(5_001)
        #expect(try await bench.save().saved == 1)
    }

    /// Fails when what the server does not take keeps other drafts back, or is sent again and again.
    @Test func `a draft that the server refuses waits for the person, and for their next letter`() async throws {
        var content = DraftContent.written()
        content.from = "nobody@example.test"
        let draft = try await bench.create(content)
        let other = try await bench.create(.written())
        try await bench.save()
        #expect(try await bench.draft(draft.id)?.state == .blocked(.refused))
        #expect(try await bench.draft(other.id)?.isUnsaved == false)
        _ = bench.requests()
        try await bench.save()
        #expect(bench.requests().isEmpty)
        content.from = "info@example.test"
        try await bench.store.saveDraft(draft.id, content, at: bench.time)
        try await bench.save()
        #expect(try await bench.drafts().count == 2)
    }

    /// Fails when a draft that is on its way as mail is saved, or deleted with the files of that mail.
    @Test(arguments: [false, true])
    func `a draft that may have been sent is left alone`(hasFile: Bool) async throws {
        var content = DraftContent.written()
        let draft = try await bench.create(content)
        if hasFile { try await bench.attach(try bench.file("a.txt", bytes: 9), to: draft.id) }
        try await bench.save()
        let send = try #require(try await bench.store.queueSend(draft.id, notBefore: 0, at: bench.time))
        try await bench.markAsPosted(send.id)
        content.text = "B"
        try await bench.store.saveDraft(draft.id, content, at: bench.time)
        _ = bench.requests()
        try await bench.save()
        #expect(bench.requests().isEmpty)
        try await bench.store.discardDraft(draft.id)
        try await bench.save()
        #expect(bench.requests() == (hasFile ? [] : ["delete"]))
        #expect(try await bench.draft(draft.id) == nil)
    }
}
