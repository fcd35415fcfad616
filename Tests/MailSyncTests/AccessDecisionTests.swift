import MailModel
import MailStorage
import Testing

@testable import MailSync

/// A mailbox list before and after, and what it says of unassigned mail.
struct AccessChange: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let before: [String: AccessLevel?]
    let after: [String: AccessLevel?]
    var holdsUnassigned = false
    var isUnassignedListed = true
    var isDaily = false
    let expected: UnassignedCheck

    static let probe = UnassignedCheck.probeMessage(MessageID("u"))
    static let table = [
        AccessChange(
            testDescription: "an owner whose list is the same", before: ["a": .manager], after: ["a": .manager],
            holdsUnassigned: true, expected: .keep),
        AccessChange(
            testDescription: "an owner made a member", before: ["a": .manager, "b": .manager], after: ["a": .agent],
            holdsUnassigned: true, expected: probe),
        AccessChange(
            testDescription: "an owner made a member who still manages all", before: ["a": .manager],
            after: ["a": .manager], holdsUnassigned: true, isDaily: true, expected: probe),
        AccessChange(
            testDescription: "an owner made an admin without grants", before: ["a": .manager], after: ["a": nil],
            holdsUnassigned: true, expected: probe),
        AccessChange(
            testDescription: "an owner with a new mailbox", before: ["a": .manager],
            after: ["a": .manager, "b": .manager], holdsUnassigned: true, expected: probe),
        AccessChange(
            testDescription: "a member made an owner", before: ["a": .read], after: ["a": .manager, "b": .manager],
            expected: .relist),
        AccessChange(
            testDescription: "a member made an owner who met some unassigned mail already", before: ["a": .read],
            after: ["a": .manager, "b": .manager], holdsUnassigned: true, isUnassignedListed: false,
            expected: .relist),
        AccessChange(
            testDescription: "an admin made an owner who met some unassigned mail already",
            before: ["a": .manager, "b": nil], after: ["a": .manager, "b": .manager], holdsUnassigned: true,
            isUnassignedListed: false, expected: .relist),
        AccessChange(
            testDescription: "a manager of all made an owner who met some unassigned mail already",
            before: ["a": .manager], after: ["a": .manager], holdsUnassigned: true, isUnassignedListed: false,
            expected: .relist),
        AccessChange(
            testDescription: "one who met some unassigned mail and is no owner by now", before: ["a": .agent],
            after: ["a": .agent], holdsUnassigned: true, isUnassignedListed: false, expected: probe),
        AccessChange(
            testDescription: "an admin made an owner", before: ["a": .manager, "b": nil],
            after: ["a": .manager, "b": .manager], expected: .relist),
        AccessChange(
            testDescription: "a manager of all who gains a mailbox", before: ["a": .manager],
            after: ["a": .manager, "b": .manager], expected: .relist),
        AccessChange(
            testDescription: "a manager of all, silently made an owner", before: ["a": .manager],
            after: ["a": .manager], isDaily: true, expected: .probeCatchall),
        AccessChange(
            testDescription: "an owner of a mailbox less", before: ["a": .manager, "b": .manager],
            after: ["a": .manager], expected: .keep),
        AccessChange(
            testDescription: "a member made an agent", before: ["a": .read], after: ["a": .agent], isDaily: true,
            expected: .keep),
        AccessChange(
            testDescription: "a member who gains a mailbox", before: ["a": .manager],
            after: ["a": .manager, "b": .read], expected: .keep),
        AccessChange(
            testDescription: "a member who lost everything", before: ["a": .read], after: [:], expected: .relist),
    ]

    static func keyed(_ levels: [String: AccessLevel?]) -> [MailboxID: AccessLevel?] {
        var keyed: [MailboxID: AccessLevel?] = [:]
        for (id, level) in levels { keyed.updateValue(level, forKey: MailboxID(id)) }
        return keyed
    }
}

@Test(arguments: AccessChange.table)
func `a mailbox list tells whether unassigned mail is to be looked at`(_ change: AccessChange) {
    let known = KnownAccess(
        levels: AccessChange.keyed(change.before), unassigned: change.holdsUnassigned ? MessageID("u") : nil,
        isUnassignedListed: change.isUnassignedListed, isSynced: true)
    let mailboxes = change.after.map { FakeServer.mailbox($0.key, $0.value) }
    #expect(UnassignedCheck.decide(known, mailboxes, isDaily: change.isDaily) == change.expected)
}

@Test func `before the first bootstrap nothing is to be looked at`() {
    let known = KnownAccess(levels: [:], unassigned: nil, isSynced: false)
    #expect(UnassignedCheck.decide(known, [FakeServer.mailbox("a", .manager)], isDaily: true) == .keep)
}
