internal import Glibc
internal import JSON
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import SoakSupport
internal import Testing

/// Drafts that the real program saves in a pass.
@Suite(.serialized, .ownThread)
struct DraftPassTests {
    private static let isSoak = Environment.value("HERALD_SOAK_SECONDS") != nil
    /// Every how-manieth statement is tried.
    private static let stride = isSoak ? 2 : 23

    private let setting: Setting

    init() throws {
        setting = try Setting()
        let ended = try setting.herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
    }

    private struct ServerDrafts {
        var texts: [String] = []
        var files: [Int] = []
    }

    /// What the server has.
    private func serverDrafts() throws -> ServerDrafts {
        var drafts = ServerDrafts()
        var reader = JSONReader(try ask(setting.server.port, "/api/v1/drafts"))
        try reader.array { reader throws(JSONError) in
            try reader.object { reader, name throws(JSONError) in
                switch name {
                case "text": drafts.texts.append(try reader.string())
                case "attachments":
                    var count = 0
                    try reader.array { reader throws(JSONError) in
                        count += 1
                        try reader.skip()
                    }
                    drafts.files.append(count)
                default: try reader.skip()
                }
            }
        }
        return drafts
    }

    /// What the program lists.
    private func listed(_ options: String...) throws -> String {
        String(decoding: try setting.herald.run(["list", "drafts"] + options).output, as: UTF8.self)
    }

    private func write(_ text: String, file: Bool = true) async throws -> LocalDraftID {
        let outbox = try setting.herald.outbox()
        let now = Environment.millisecondsSinceEpoch
        let content = DraftContent(
            from: "info@example.test", to: "a@client.example", subject: "Plan", text: text)
        let draft = try await outbox.createDraft(content, at: now)
        guard file else { return draft.id }
        let directory = setting.herald.directory("state") + "/files"
        try Files.makeDirectory(directory)
        // SHA-256 of “hello”.
        let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        try Files.replace(directory + "/" + digest, with: Array("hello".utf8))
        try await outbox.addFile(
            DraftFile(
                id: DraftFileID(milliseconds: now, random: (1, UInt64(now))), filename: "hello.txt",
                contentType: "text/plain", sizeBytes: 5, sha256: digest), to: draft.id, at: now)
        return draft.id
    }

    /// Fails when a kill between any two statements of a save loses a text or a file, or makes either twice.
    @Test(arguments: ["statement", "commit"])
    func `a save killed anywhere is taken up by the next pass`(_ kind: String) async throws {
        defer { setting.server.stop() }
        var (point, kills) = (1, 0)
        while true {
            let text = "text of \(kind) \(point)"
            _ = try await write(text)
            var doomed = setting.herald
            doomed.variables["HERALD_FAULT"] = "\(kind):\(point)"
            let ended = try doomed.run("--sync-once")
            let isKilled = ended.code != 0
            #expect(!isKilled || ended.code == 128 + SIGKILL, "\(point): \(ended.errors)")
            for _ in 0..<2 {
                let healed = try setting.herald.run("--sync-once")
                #expect(healed.code == 0, "\(point): \(healed.errors)")
            }
            let drafts = try serverDrafts()
            #expect(drafts.texts.count { $0 == text } == 1, "\(kind):\(point)")
            #expect(drafts.files.allSatisfy { $0 == 1 }, "\(kind):\(point)")
            let shown = try listed("--json")
            #expect(shown.split(separator: text).count == 2, "\(kind):\(point)")
            guard isKilled else { break }
            kills += 1
            point += kind == "commit" ? 1 : DraftPassTests.stride
        }
        #expect(kills >= 3)
    }

    /// Fails when cron forgets drafts, or they are shown otherwise than they are here.
    @Test func `a draft written offline is listed at once and saved by the next pass`() async throws {
        defer { setting.server.stop() }
        _ = try await write("offline", file: false)
        let rebuilt = try setting.herald.run("--rebuild-cache", "--sync-once")
        #expect(rebuilt.code == 0, "\(rebuilt.errors)")
        #expect(try listed("--json").contains("offline"))
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try serverDrafts().texts == ["offline"])
        #expect(try listed().contains("Plan"))
    }

    /// Fails when a disk without room loses what was written, or says that it is saved.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `a draft on a full disk is as it was, and room saves it`() async throws {
        defer { setting.server.stop() }
        let disk = try SmallDisk(kilobytes: 65_536)
        let variables = setting.herald.environment.merging(["HERALD_HOME": disk.path + "/h"]) { $1 }
        func run(_ arguments: [String]) throws -> Ended {
            try #require(try setting.herald.start(arguments, environment: variables).wait())
        }
        #expect(try run(["--sync-once"]).code == 0)
        let state = disk.path + "/h/state"
        let label = try #require(Files.names(in: state).first { Files.isDirectory(state + "/" + $0) })
        let path = "\(state)/\(label)/outbox.sqlite"
        let owner = try setting.herald.owner()
        let outbox = try OutboxStore(path: path, owner: owner)
        let now = Environment.millisecondsSinceEpoch
        let content = DraftContent(from: "info@example.test", to: "a@client.example", subject: "Plan", text: "first")
        let draft = try await outbox.createDraft(content, at: now)
        try disk.fill(leaving: 0)
        var longer = content
        longer.text = String(repeating: "word ", count: 19_000)
        let failure = await #expect(throws: OutboxError.self) {
            for number in 0..<200 {
                longer.subject = "\(number)"
                try await outbox.saveDraft(draft.id, longer, at: now)
            }
        }
        #expect(failure?.exitCode == 74)
        let kept = try #require(try await outbox.draft(draft.id))
        #expect(kept.content == content || kept.content.text == longer.text)
        disk.empty()
        try await outbox.saveDraft(draft.id, longer, at: now)
        #expect(try run(["--sync-once"]).code == 0)
        #expect(try serverDrafts().texts == [longer.text])
    }
}
