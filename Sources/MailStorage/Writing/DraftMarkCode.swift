internal import JSON
internal import MailModel

/// The column of the cache that says what is to be known of a draft of this machine.
enum DraftMarkCode {
    static func encode(_ mark: DraftMark) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", mark.id.rawValue)
            writer.member("isUnsaved", mark.isUnsaved)
            writer.member("isChangedElsewhere", mark.isChangedElsewhere)
            writer.member("isCopy", mark.isCopy)
            writer.member("blocked", mark.blocked?.rawValue)
            writer.member("failure", mark.failure)
            let send = mark.send.map { SendRow.words(of: $0) }
            writer.member("send", send?.status)
            writer.member("sendReason", send?.reason)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The mark; `nil` for text that is none.
    static func mark(_ json: String) -> DraftMark? {
        if json.isEmpty { return nil }
        var mark = DraftMark(id: LocalDraftID(""))
        var (send, reason) = (String?.none, String?.none)
        var reader = JSONReader(Array(json.utf8))
        do {
            try reader.object { reader, name throws(JSONError) in
                switch name {
                case "id": mark.id = LocalDraftID(try reader.string())
                case "isUnsaved": mark.isUnsaved = try reader.bool()
                case "isChangedElsewhere": mark.isChangedElsewhere = try reader.bool()
                case "isCopy": mark.isCopy = try reader.bool()
                case "blocked": mark.blocked = try reader.optionalString().flatMap { DraftBlockReason(rawValue: $0) }
                case "failure": mark.failure = try reader.optionalString()
                case "send": send = try reader.optionalString()
                case "sendReason": reason = try reader.optionalString()
                default: try reader.skip()
                }
            }
        } catch {
            return nil
        }
        mark.send = send.map { SendRow.status($0, reason: reason, sent: reason) }
        return mark
    }
}
