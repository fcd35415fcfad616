import MailModel
import Testing

private let now = Timestamp("2026-03-01T10:00:00.000Z")
private let before = Timestamp("2026-02-01T10:00:00.000Z")

/// A message as far as actions look at it.
private func message(
    _ folder: String, outbound: Bool = false, unassigned: Bool = false, read: Bool = false, starred: Bool = false
) -> MessageSummary {
    MessageSummary(
        id: MessageID("m"), threadID: ThreadID("t"), mailboxID: unassigned ? nil : MailboxID("b"),
        direction: outbound ? .outbound : .inbound, folder: folder, fromAddress: "a@x.example", to: [], subject: "",
        snippet: "", receivedAt: before, sentAt: nil, readAt: read ? before : nil, starredAt: starred ? before : nil,
        hasAttachments: false, createdAt: before)
}

/// One row of contract §3.6: an action, a message, and what the server makes of it.
private struct Effect: CustomTestStringConvertible {
    let action: TriageAction
    let message: MessageSummary
    let folder: String
    var isRead = false
    var isStarred = false
    let inverse: [TriageAction]

    var testDescription: String { "\(action) in \(message.folder) gives \(folder)" }
}

private let effects: [Effect] = [
    Effect(action: .read, message: message("inbox"), folder: "inbox", isRead: true, inverse: [.unread]),
    Effect(action: .read, message: message("inbox", read: true), folder: "inbox", isRead: true, inverse: []),
    Effect(action: .unread, message: message("sent", read: true), folder: "sent", inverse: [.read]),
    Effect(action: .unread, message: message("inbox"), folder: "inbox", inverse: []),
    Effect(action: .star, message: message("trash"), folder: "trash", isStarred: true, inverse: [.unstar]),
    Effect(action: .star, message: message("inbox", starred: true), folder: "inbox", isStarred: true, inverse: []),
    Effect(action: .unstar, message: message("inbox", starred: true), folder: "inbox", inverse: [.star]),
    Effect(action: .unstar, message: message("inbox"), folder: "inbox", inverse: []),
    Effect(action: .archive, message: message("inbox"), folder: "archived", inverse: [.unarchive]),
    Effect(action: .archive, message: message("sent", outbound: true), folder: "archived", inverse: [.unarchive]),
    Effect(
        action: .archive, message: message("catchall", unassigned: true), folder: "archived", inverse: [.unarchive]),
    Effect(action: .archive, message: message("trash"), folder: "archived", inverse: [.trash]),
    Effect(action: .archive, message: message("archived"), folder: "archived", inverse: []),
    Effect(action: .unarchive, message: message("archived"), folder: "inbox", inverse: [.archive]),
    Effect(action: .unarchive, message: message("archived", outbound: true), folder: "sent", inverse: [.archive]),
    Effect(
        action: .unarchive, message: message("archived", unassigned: true), folder: "catchall", inverse: [.archive]),
    Effect(action: .unarchive, message: message("trash"), folder: "trash", inverse: []),
    Effect(action: .unarchive, message: message("inbox"), folder: "inbox", inverse: []),
    Effect(action: .trash, message: message("inbox"), folder: "trash", inverse: [.restore]),
    Effect(action: .trash, message: message("archived"), folder: "trash", inverse: [.restore, .archive]),
    Effect(action: .trash, message: message("trash"), folder: "trash", inverse: []),
    Effect(action: .restore, message: message("trash"), folder: "inbox", inverse: [.trash]),
    Effect(action: .restore, message: message("trash", outbound: true), folder: "sent", inverse: [.trash]),
    Effect(action: .restore, message: message("trash", unassigned: true), folder: "catchall", inverse: [.trash]),
    Effect(action: .restore, message: message("archived"), folder: "archived", inverse: []),
]

@Test(arguments: effects)
private func `an action does what the server does, and its inverse brings the message back`(_ effect: Effect) {
    let after = effect.action.applied(to: effect.message, at: now)

    #expect(after.folder == effect.folder)
    #expect((after.readAt != nil) == effect.isRead)
    #expect((after.starredAt != nil) == effect.isStarred)
    #expect(effect.action.inverse(of: effect.message) == effect.inverse)
    #expect(effect.action.hasEffect(on: effect.message) == !effect.inverse.isEmpty)
    let back = effect.inverse.reduce(after) { $1.applied(to: $0, at: now) }
    #expect(back.folder == effect.message.folder)
    #expect((back.readAt == nil) == (effect.message.readAt == nil))
    #expect((back.starredAt == nil) == (effect.message.starredAt == nil))
}

/// Fails when a stamp of a repeated action would stay, which the server moves.
@Test func `a repeated action moves its stamp`() {
    #expect(TriageAction.read.applied(to: message("inbox", read: true), at: now).readAt == now)
    #expect(TriageAction.star.applied(to: message("inbox", starred: true), at: now).starredAt == now)
}

@Test func `an identifier is a UUID of version 7 that orders by its time`() {
    let first = OperationID(milliseconds: 1_750_000_000_000, random: (.max, .max)).rawValue
    let second = OperationID(milliseconds: 1_750_000_000_001, random: (0, 0)).rawValue

    #expect(first == "01977420-dc00-7fff-bfff-ffffffffffff")
    #expect(second == "01977420-dc01-7000-8000-000000000000")
    #expect(first < second)
}
