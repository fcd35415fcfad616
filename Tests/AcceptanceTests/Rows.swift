internal import JSON

/// What a conversation list says of one conversation.
struct Row: Hashable, CustomStringConvertible {
    var id = ""
    var thread = ""
    var messages = 0
    var unread = 0
    var isStarred = false
    var hasAttachments = false

    init(_ reader: inout JSONReader) throws(JSONError) {
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "id": id = try reader.string()
            case "threadId": thread = try reader.string()
            case "messageCount": messages = try reader.int()
            case "unreadCount": unread = try reader.int()
            case "isStarred": isStarred = try reader.bool()
            case "hasAttachments": hasAttachments = try reader.bool()
            default: try reader.skip()
            }
        }
    }

    var description: String {
        "\(id) in \(thread): \(messages) messages, \(unread) unread"
            + (isStarred ? ", starred" : "") + (hasAttachments ? ", attachments" : "")
    }

    /// The rows of a JSON object's array.
    static func rows(_ bytes: [UInt8], in member: String) throws(JSONError) -> (rows: [Row], next: String?) {
        var rows: [Row] = []
        var next: String?
        var reader = JSONReader(bytes)
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case member: try reader.array { reader throws(JSONError) in rows.append(try Row(&reader)) }
            case "nextCursor": next = try reader.optionalString()
            default: try reader.skip()
            }
        }
        return (rows, next)
    }
}

/// A mailbox of the server.
struct Box {
    var id = ""
    var address = ""

    static func all(_ bytes: [UInt8]) throws(JSONError) -> [Box] {
        var boxes: [Box] = []
        var reader = JSONReader(bytes)
        try reader.array { reader throws(JSONError) in
            var box = Box()
            try reader.object { reader, name throws(JSONError) in
                switch name {
                case "id": box.id = try reader.string()
                case "address": box.address = try reader.string()
                default: try reader.skip()
                }
            }
            boxes.append(box)
        }
        return boxes
    }
}

/// The first place where two lists differ, in words; `nil` when they are equal.
func difference(_ ours: [Row], _ theirs: [Row]) -> String? {
    if ours == theirs { return nil }
    let index = zip(ours, theirs).prefix { $0 == $1 }.count
    let our = index < ours.count ? ours[index].description : "nothing"
    let their = index < theirs.count ? theirs[index].description : "nothing"
    let missing = Set(theirs.map(\.thread)).subtracting(ours.map(\.thread)).count
    let extra = Set(ours.map(\.thread)).subtracting(theirs.map(\.thread)).count
    return """
        \(ours.count) rows here, \(theirs.count) there, \(missing) missing, \(extra) too many; \
        row \(index): here \(our); there \(their)
        """
}
