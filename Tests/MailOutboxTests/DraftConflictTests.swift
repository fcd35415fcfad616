import MailAPI
import MailCompose
import MailModel
import MailOutbox
import MailStorage
import Testing

/// Drafts that are changed here and by another client of the same person.
@Suite(.timeLimit(.minutes(20)))
struct DraftConflictTests {
    private let bench: DraftBench

    init() throws { bench = try DraftBench() }

    /// A draft that the server has, changed there by `theirs` and here by `mine`.
    private func clash(
        mode: ConflictMode = .auto, mine: (inout DraftContent) -> Void, theirs: (inout DraftUpload) -> Void
    ) async throws -> (local: LocalDraftID, server: DraftID) {
        var content = DraftContent.written()
        let draft = try await bench.create(content, mode: mode)
        try await bench.save()
        let id = try #require(try await bench.draft(draft.id)?.server?.id)
        try await bench.changeElsewhere(id, theirs)
        mine(&content)
        try await bench.store.saveDraft(draft.id, content, at: bench.time)
        _ = bench.requests()
        return (draft.id, id)
    }

    @Test func `fields that only one side changed are merged, with one look and one more save`() async throws {
        let (local, server) = try await clash(mine: { $0.text = "M" }, theirs: { $0.subject = "T" })
        try await bench.save()

        let there = try await bench.drafts()
        #expect(there.map(\.id) == [server] && there[0].subject == "T" && there[0].text == "M")
        #expect(bench.requests() == ["replace", "get", "replace"])
        let here = try #require(try await bench.draft(local))
        #expect(here.content.subject == "T" && here.content.text == "M" && !here.isUnsaved && here.copyOf == nil)
        #expect(bench.events.contains(.conflictAutoMerged(local, [.subject], copy: nil)))
    }

    /// Fails when one side's text is gone, or the copy is not marked.
    @Test func `a text that both changed keeps both drafts, the person's as a marked copy`() async throws {
        let (local, server) = try await clash(
            mine: { ($0.text, $0.subject) = ("Mine", "S") }, theirs: { $0.text = "Theirs" })
        try await bench.save()

        let there = try await bench.drafts()
        #expect(Set(there.map(\.text)) == ["Mine", "Theirs"] && there.count == 2)
        #expect(there.first { $0.id == server }?.text == "Theirs")
        let copy = try #require(try await bench.draft(local))
        #expect(copy.content.text == "Mine" && copy.server?.id != server && !copy.isUnsaved)
        let original = try #require(try await bench.store.draft(server: server))
        #expect(copy.copyOf == original.id && original.content.text == "Theirs")
        #expect(bench.events.contains(.conflictAutoMerged(original.id, [.text], copy: local)))
    }

    @Test func `recipients never merge`() async throws {
        _ = try await clash(
            mine: { $0.to = "a@client.example, b@client.example" }, theirs: { $0.to = ["c@client.example"] })
        try await bench.save()
        let there = try await bench.drafts().map(\.to)
        #expect(Set(there) == [["a@client.example", "b@client.example"], ["c@client.example"]])
    }

    /// Fails when the copy loses files, or takes those of the other draft off it.
    @Test func `a copy brings its files along, and names those that it cannot`() async throws {
        var content = DraftContent.written()
        let draft = try await bench.create(content)
        try await bench.attach(try bench.file("mine.bin", bytes: 20), to: draft.id)
        try await bench.save()
        let id = try #require(try await bench.draft(draft.id)?.server?.id)
        let path = try bench.file("theirs.bin", bytes: 30)
        _ = try await bench.api.upload(
            path: path, filename: "theirs.bin", contentType: "text/plain", sizeBytes: 30, to: id, progress: { _ in })
        let list = try await bench.drafts()
        // One that is saved and closed would need no row any more.
        content.text = "Mine"
        try await bench.store.saveDraft(draft.id, content, at: bench.time)
        let follower = DraftFollower(store: bench.store, open: bench.open, now: { bench.time })
        bench.passTime(1)
        try await follower.follow(list, listedAt: bench.time)
        #expect(try await bench.draft(draft.id)?.files.map(\.filename) == ["mine.bin", "theirs.bin"])
        try await bench.changeElsewhere(id) { $0.text = "Theirs" }

        try await bench.save()

        let there = try await bench.drafts()
        #expect(there.first { $0.text == "Mine" }?.attachments.map(\.filename) == ["mine.bin"])
        #expect(there.first { $0.text == "Theirs" }?.attachments.map(\.filename) == ["mine.bin", "theirs.bin"])
        #expect(try await bench.draft(draft.id)?.files.last?.state == .refused("only-on-server"))
    }

    @Test(arguments: [(ConflictMode.manual, false), (.manual, true), (.ask, true)])
    func `a conflict that is left to the person waits with all three versions`(
        mode: ConflictMode, isInteractive: Bool
    ) async throws {
        let (local, server) = try await clash(
            mode: mode, mine: { $0.text = "M" }, theirs: { $0.subject = "T" })
        try await bench.save(isInteractive: isInteractive)

        let waiting = try #require(try await bench.draft(local))
        #expect(waiting.state == .blocked(.conflictUnresolved) && waiting.content.text == "M")
        #expect(waiting.theirs?.content.subject == "T" && waiting.server?.content.subject == "A")
        #expect(try await bench.drafts().map(\.text) == ["A"])
        _ = bench.requests()
        try await bench.save(isInteractive: isInteractive)
        #expect(bench.requests().isEmpty)

        _ = try await bench.store.resolveConflict(local, .mine, at: bench.time)
        try await bench.save(isInteractive: isInteractive)
        #expect(try await bench.drafts().map(\.text) == ["M"])
        #expect(try await bench.api.draft(server).subject == "A")
    }

    @Test func `theirs is taken when the person says so`() async throws {
        let (local, _) = try await clash(mode: .manual, mine: { $0.text = "M" }, theirs: { $0.text = "T" })
        try await bench.save()
        #expect(try await bench.store.resolveConflict(local, .theirs, at: bench.time)?.content.text == "T")
        try await bench.save()
        #expect(try await bench.drafts().map(\.text) == ["T"])
        #expect(try await bench.draft(local)?.isUnsaved == false)
    }

    /// Fails when cron leaves a question for somebody who is not there.
    @Test func `ask is auto where nobody sits`() async throws {
        let (_, server) = try await clash(mode: .ask, mine: { $0.text = "M" }, theirs: { $0.subject = "T" })
        try await bench.save()
        let there = try await bench.api.draft(server)
        #expect(there.subject == "T" && there.text == "M")
    }

    /// Fails when words change under the hands of somebody who writes, or their newer version is written over.
    @Test func `an open draft is left alone until it is closed`() async throws {
        let (local, server) = try await clash(mine: { $0.text = "M" }, theirs: { $0.subject = "T" })
        var door = try bench.open.open(local)
        #expect(door != nil)
        try await bench.save()

        let open = try #require(try await bench.draft(local))
        #expect(open.content.subject == "A" && open.isChangedElsewhere && open.isUnsaved)
        #expect(try await bench.api.draft(server).text == "A")
        _ = bench.requests()
        try await bench.save()
        #expect(bench.requests().isEmpty)

        door = nil
        try await bench.save()
        let there = try await bench.api.draft(server)
        #expect(there.subject == "T" && there.text == "M")
        #expect(try await bench.draft(local)?.isChangedElsewhere == false)
        withExtendedLifetime(door) {}
    }

    @Test func `a send that waits is held when somebody's words came in`() async throws {
        let (local, _) = try await clash(mine: { $0.text = "M" }, theirs: { $0.subject = "T" })
        let send = try #require(try await bench.store.queueSend(local, notBefore: 0, at: bench.time))
        try await bench.save()
        #expect(try await bench.store.send(send.id)?.status == .held(.changedElsewhere))
    }

    @Test func `a poll takes over what is saved, and drops rows that the server has to the last letter`() async throws {
        let follower = DraftFollower(store: bench.store, open: bench.open, now: { bench.time })
        let draft = try await bench.create(.written())
        try await bench.save()
        let id = try #require(try await bench.draft(draft.id)?.server?.id)
        try await bench.changeElsewhere(id) { $0.text = "T" }
        bench.passTime(1_000)
        try await follower.follow(try await bench.drafts(), listedAt: bench.time)
        let followed = try #require(try await bench.draft(draft.id))
        #expect(followed.content.text == "T" && !followed.isUnsaved && followed.server?.version == 2)

        bench.passTime(1_000)
        try await follower.follow(try await bench.drafts(), listedAt: bench.time)
        #expect(try await bench.draft(draft.id) == nil)
        #expect(try await bench.drafts().count == 1)
    }

    /// Fails when a list that was on its way while a draft was saved throws the draft away.
    @Test func `a list that is older than a save says nothing about it`() async throws {
        let follower = DraftFollower(store: bench.store, open: bench.open, now: { bench.time })
        let listedAt = bench.time
        bench.passTime(5)
        let draft = try await bench.create(.written())
        try await bench.save()
        try await follower.follow([], listedAt: listedAt)
        #expect(try await bench.draft(draft.id) != nil)
    }
}
