internal import MailTestSupport
internal import Testing

/// What the server hands to its mail sender, against what the real one did.
struct OutgoingTests {
    /// The members that both servers make up by themselves.
    private static let own: Set<String> = ["messageId", "at", "base64"]

    /// Fails when a mail leaves with other recipients, text, HTML, headers or files than from the real server.
    @Test(arguments: [("16", "16-send"), ("17", "17-reply"), ("18", "18-forward")])
    func `the mail sender is given what the real one was`(_ number: String, _ name: String) throws {
        guard let recordings = Recordings.shared, let world = RecordedWorld.shared,
            let recorded = OutgoingTests.recorded(name)
        else { return }
        let mails = try Replay.run(number, recordings, world).outgoing
        try #require(!mails.isEmpty)
        try #require(mails.count <= recorded.count)
        var ids: [String: String] = [:]
        for (one, other) in zip(recorded.suffix(mails.count), mails) {
            // A file that is still open is not held to the bodies of its mails.
            if KnownDifferences.open.contains(number) { break }
            ids[one["messageId"]?.text ?? ""] = other["messageId"]?.text
            var expected = OutgoingTests.plain(one).json
            for (id, mine) in ids { expected = Shape.replacing(id, with: mine, in: expected) }
            #expect(OutgoingTests.plain(other).json == expected)
        }
    }

    private static func recorded(_ name: String) -> [JSONTree]? {
        guard let bytes = SharedFolder.read("recordings/_outgoing-\(name).json") else { return nil }
        return JSONTree(bytes)?.items
    }

    /// A mail without what is made up, its files in the order of their names.
    private static func plain(_ mail: JSONTree) -> JSONTree {
        guard case .object(var members) = mail else { return mail }
        for name in own { members[name] = nil }
        members["attachments"] = .array(
            (members["attachments"]?.items ?? []).map(plain)
                .sorted { ($0["filename"]?.text ?? "") < ($1["filename"]?.text ?? "") })
        if members["filename"] != nil { members["attachments"] = nil }
        return .object(members)
    }
}
