import MailAPI
import MailModel
import MailOutbox
import MailStorage
import Testing

/// Drafts on their way to a local server, over sockets.
@Suite(.timeLimit(.minutes(20)))
struct DraftSavingTests {
    private let bench: DraftBench

    init() throws { bench = try DraftBench() }

    @Test func `what was written becomes a draft of the server, with its files`() async throws {
        let content = DraftContent.written(to: "Ann <a@client.example>, half@", subject: "Zoë", text: "Hello\n")
        let draft = try await bench.create(content)
        try await bench.attach(try bench.file("a \"b\" é.txt", bytes: 70_000), to: draft.id)

        #expect(try await bench.save() == report(saved: 2))

        let there = try #require(try await bench.drafts().first)
        #expect(there.to == ["a@client.example"] && there.subject == "Zoë" && there.text == "Hello\n")
        #expect(there.from == "info@example.test" && there.version == 1)
        #expect(there.attachments.map(\.filename) == ["a \"b\" é.txt"])
        #expect(there.attachments.map(\.sizeBytes) == [70_000])
        let here = try #require(try await bench.draft(draft.id))
        #expect(here.content == content && !here.isUnsaved && here.server?.id == there.id)
        #expect(here.files.map(\.state) == [.done(there.attachments[0].id)])
        #expect(bench.requests() == ["create", "upload"])
        #expect(try await bench.save() == DraftReport())
        #expect(bench.requests().isEmpty)
    }

    /// Fails when each pause in typing makes a draft, or two requests of one draft are under way at once.
    @Test func `fifty autosaves make one draft of the server`() async throws {
        var content = DraftContent.written(text: "")
        let draft = try await bench.create(content)
        let saver = bench.saver()
        for number in 1...50 {
            content.text += "word \(number) "
            try await bench.store.saveDraft(draft.id, content, at: bench.time)
            if number % 7 == 0 { _ = try await saver.run() }
        }
        _ = try await saver.run()

        #expect(try await bench.drafts().map(\.text) == [content.text])
        #expect(bench.recorder.activeMax == 1)
        let asked = bench.requests()
        #expect(asked == ["create"] + Array(repeating: "replace", count: 7))
    }

    @Test func `half an address alone costs no request`() async throws {
        var content = DraftContent.written()
        let draft = try await bench.create(content)
        try await bench.save()
        content.to += ", b@clie"
        try await bench.store.saveDraft(draft.id, content, at: bench.time)
        _ = bench.requests()

        try await bench.save()

        #expect(bench.requests().isEmpty)
        #expect(try await bench.draft(draft.id)?.isUnsaved == false)
        #expect(try await bench.draft(draft.id)?.content.to == "a@client.example, b@clie")
    }

    @Test func `a draft in which nothing was written is not made`() async throws {
        _ = try await bench.create(DraftContent(from: "info@example.test"))
        try await bench.save()
        #expect(bench.requests().isEmpty)
    }

    /// Fails when a field that the server would refuse is sent, or when shortening it does not save the draft.
    @Test func `a field that is too long stays here and is told`() async throws {
        var content = DraftContent.written(subject: String(repeating: "é", count: 201))
        let draft = try await bench.create(content)
        try await bench.save()
        let blocked = try #require(try await bench.draft(draft.id))
        #expect(blocked.state == .blocked(.refused) && blocked.lastFailure == "subject-too-long")
        #expect(bench.requests().isEmpty)

        content.subject.removeLast()
        try await bench.store.saveDraft(draft.id, content, at: bench.time)
        try await bench.save()
        #expect(try await bench.drafts().map(\.subject) == [content.subject])
    }

    @Test func `a draft thrown away here goes there too, also when it is gone already`() async throws {
        let draft = try await bench.create(.written())
        try await bench.save()
        try await bench.store.discardDraft(draft.id)
        try await bench.save()
        #expect(try await bench.drafts().isEmpty)
        #expect(try await bench.draft(draft.id) == nil)

        let other = try await bench.create(.written())
        try await bench.save()
        let id = try #require(try await bench.draft(other.id)?.server?.id)
        try bench.control("/delete-draft?id=\(id)")
        try await bench.store.discardDraft(other.id)
        try await bench.save()
        #expect(try await bench.draft(other.id) == nil)
    }

    /// Fails when text is lost with a draft that somebody deleted elsewhere.
    @Test func `a draft that is gone there becomes a new one, with its files`() async throws {
        var content = DraftContent.written()
        let draft = try await bench.create(content)
        try await bench.attach(try bench.file("a.bin", bytes: 10), to: draft.id)
        try await bench.save()
        let id = try #require(try await bench.draft(draft.id)?.server?.id)
        try bench.control("/delete-draft?id=\(id)")
        content.text = "More"
        try await bench.store.saveDraft(draft.id, content, at: bench.time)

        try await bench.save()

        let there = try await bench.drafts()
        #expect(there.map(\.text) == ["More"] && there[0].id != id)
        #expect(there[0].attachments.map(\.sizeBytes) == [10])
        #expect(try await bench.draft(draft.id)?.server?.id == there[0].id)
    }

    private func report(saved: Int) -> DraftReport {
        var report = DraftReport()
        report.saved = saved
        return report
    }
}
