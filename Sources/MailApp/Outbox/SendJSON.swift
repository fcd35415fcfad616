internal import JSON
internal import MailModel

/// The JSON form of mail that is sent; nothing of its text is in it.
enum SendJSON {
    static func send(_ send: Send, version: Int? = nil, _ writer: inout JSONWriter) {
        writer.object { writer in
            if let version { writer.member("version", version) }
            writer.member("id", send.id.rawValue)
            writer.member("kind", "send")
            writer.member("draftId", send.draft.rawValue)
            writer.member("status", send.status.name)
            writer.member("heldBy", heldBy(send.status))
            writer.member("sentMessageId", sentMessage(send.status))
            writer.member("createdAt", send.createdAt.text)
            writer.member("notBefore", Timestamp(millisecondsSinceEpoch: send.notBefore).text)
            writer.member("attempts", send.attempts)
            writer.member("nextAttemptAt", send.nextAttemptAt.map { Timestamp(millisecondsSinceEpoch: $0).text })
            writer.member("lastFailure", failure(send))
        }
    }

    private static func heldBy(_ status: SendStatus) -> String? {
        guard case .held(let reason) = status else { return nil }
        return reason.rawValue
    }

    private static func sentMessage(_ status: SendStatus) -> String? {
        guard case .sent(let copy) = status, !copy.rawValue.isEmpty else { return nil }
        return copy.rawValue
    }

    private static func failure(_ send: Send) -> String? {
        guard case .refused(let code) = send.status else { return send.lastFailure }
        return code
    }
}
