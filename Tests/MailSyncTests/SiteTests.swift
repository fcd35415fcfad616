import LocalServer
import MailAPI
import MailModel
import MailStorage
import MailSync
import Synchronization
import Testing

/// What happens on the server between two passes, and who looks on.
struct AccessStory: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let user: String
    /// Verbs before the first pass, and then groups of verbs with a pass after each.
    var setup: [String] = []
    let groups: [[String]]
    /// Whether no list tells of it, so that the slow check or the daily look must.
    var isSilent = false

    static let mailboxes = [
        "billing@example.test", "info@example.test", "noreply@example.test", "ops@ops.example.test",
        "sales@example.test", "support@example.test",
    ]

    static let table = [
        AccessStory(
            testDescription: "an owner made a member", user: "owner", groups: [["/role?user=owner&role=member"]]),
        AccessStory(
            testDescription: "an owner made a member and back", user: "owner",
            groups: [
                ["/role?user=owner&role=member", "/access?user=owner&mailbox=sales@example.test&level=read"],
                ["/deliver?to=nobody@nowhere.example&count=3&seed=8"], ["/role?user=owner&role=owner"],
            ]),
        AccessStory(
            testDescription: "an owner made an admin who manages everything", user: "owner",
            setup: mailboxes.map { "/access?user=owner&mailbox=\($0)&level=manager" },
            groups: [["/role?user=owner&role=admin"]], isSilent: true),
        AccessStory(
            testDescription: "an admin who manages everything made an owner", user: "admin",
            setup: mailboxes.map { "/access?user=admin&mailbox=\($0)&level=manager" },
            groups: [["/role?user=admin&role=owner"]], isSilent: true),
        AccessStory(
            testDescription: "a member made an owner", user: "member", groups: [["/role?user=member&role=owner"]]),
        AccessStory(
            testDescription: "grants gained with changes after them", user: "member",
            groups: [
                [
                    "/access?user=member&mailbox=info@example.test&level=read",
                    "/deliver?to=info@example.test&count=5&seed=9", "/deliver?to=support@example.test&count=5&seed=12",
                ]
            ]),
        AccessStory(
            testDescription: "a grant raised and lowered", user: "member",
            groups: [
                ["/access?user=member&mailbox=support@example.test&level=manager"],
                ["/access?user=member&mailbox=support@example.test&level=read"],
            ]),
        AccessStory(
            testDescription: "a grant lost, missed and gained", user: "member",
            groups: [
                ["/access?user=member&mailbox=support@example.test&level=none"],
                ["/deliver?to=support@example.test&count=5&seed=11"],
                ["/access?user=member&mailbox=support@example.test&level=read"],
            ]),
        AccessStory(
            testDescription: "a mailbox deleted", user: "owner",
            groups: [["/delete-mailbox?address=info@example.test"]]),
        AccessStory(
            testDescription: "mail moved to a hidden mailbox", user: "member",
            groups: [["/move?id=SUPPORT&to=sales@example.test"]], isSilent: true),
        AccessStory(
            testDescription: "mail moved from a hidden mailbox", user: "member",
            groups: [["/move?id=INFO&to=support@example.test"]]),
        AccessStory(
            testDescription: "unassigned mail given to a mailbox", user: "owner",
            groups: [["/move?id=NOBODY&to=support@example.test"]]),
    ]
}

@Test(arguments: AccessStory.table)
func `after every change of access the cache is as a fresh one`(_ story: AccessStory) async throws {
    let site = try Site()
    var ids: [String: String] = [:]
    for (name, address, count) in [
        ("SUPPORT", "support@example.test", 105), ("INFO", "info@example.test", 15),
        ("NOBODY", "no@nowhere.example", 15), ("SALES", "sales@example.test", 15),
    ] {
        ids[name] = try site.firstID(try await site.control("/deliver?to=\(address)&count=\(count)&seed=\(count)"))
    }
    for verb in story.setup { try await site.control(verb) }
    let cache = try SiteCache(site.api(story.user))
    _ = try await cache.engine.pass()
    #expect(try await cache.view() == site.fresh(story.user))
    for group in story.groups {
        for verb in group {
            try await site.control(ids.reduce(verb) { $0.replacing("id=" + $1.key, with: "id=" + $1.value) })
        }
        _ = try await cache.engine.pass()
    }
    let fresh = try await site.fresh(story.user)
    #expect((try await cache.view() == fresh) == !story.isSilent)
    guard story.isSilent else { return }
    for _ in 0..<30 {
        cache.clock.advance(milliseconds: 3_600_000)
        _ = try await cache.engine.audit()
        _ = try await cache.engine.pass()
        if try await cache.view() == fresh { return }
    }
    Issue.record("The slow check never made the cache equal.")
}

/// What happens at the moment of a request of a pass.
struct RaceStory: CustomTestStringConvertible, Sendable {
    var testDescription: String { "\(verb) at \(moment)" }
    let user: String
    let moment: String
    let verb: String
    /// Whether the moment is in the first pass or in a later one.
    var isFirst = true

    static let table: [RaceStory] = [
        RaceStory(user: "owner", moment: "later inbox", verb: "/delete-mailbox?address=info@example.test"),
        RaceStory(user: "owner", moment: "later inbox", verb: "/role?user=owner&role=member"),
        RaceStory(user: "member", moment: "later inbox", verb: "/role?user=member&role=owner"),
        RaceStory(
            user: "member", moment: "later inbox", verb: "/access?user=member&mailbox=info@example.test&level=read"),
        RaceStory(
            user: "member", moment: "later inbox", verb: "/access?user=member&mailbox=support@example.test&level=none"),
        RaceStory(user: "owner", moment: "checkpoint", verb: "/deliver?to=info@example.test&count=7&seed=21"),
        RaceStory(user: "owner", moment: "later inbox", verb: "/deliver?to=info@example.test&count=7&seed=22"),
        RaceStory(user: "owner", moment: "changes", verb: "/delete-mailbox?address=info@example.test"),
        RaceStory(
            user: "member", moment: "later mailbox", verb: "/access?user=member&mailbox=sales@example.test&level=none",
            isFirst: false),
        RaceStory(
            user: "member", moment: "later mailbox", verb: "/delete-mailbox?address=sales@example.test",
            isFirst: false),
        RaceStory(user: "owner", moment: "changes", verb: "/role?user=owner&role=member", isFirst: false),
        RaceStory(user: "member", moment: "changes", verb: "/role?user=member&role=owner", isFirst: false),
        RaceStory(
            user: "member", moment: "changes", verb: "/access?user=member&mailbox=info@example.test&level=agent",
            isFirst: false),
    ]
}

@Test(arguments: RaceStory.table)
func `what happens in the middle of a pass is made good by the next`(_ story: RaceStory) async throws {
    let site = try Site()
    for (address, count) in [
        ("support@example.test", 105), ("info@example.test", 20), ("no@nowhere.example", 10),
        ("sales@example.test", 105),
    ] {
        try await site.control("/deliver?to=\(address)&count=\(count)&seed=\(count)")
    }
    let tap = TapTrigger(isArmed: story.isFirst)
    let cache = try SiteCache(
        TappedClient(site.api(story.user)) { request in
            if tap.fires(request == story.moment) { try await site.control(story.verb) }
        })
    _ = try await cache.engine.pass()
    if !story.isFirst {
        try await site.control("/access?user=member&mailbox=sales@example.test&level=read")
        tap.arm()
        _ = try await cache.engine.pass()
    }
    #expect(tap.hasFired)
    _ = try await cache.engine.pass()
    #expect(try await cache.view() == site.fresh(story.user))
}

/// Lets something happen once.
final class TapTrigger: Sendable {
    private let state: Mutex<(isArmed: Bool, hasFired: Bool)>

    init(isArmed: Bool) {
        state = Mutex((isArmed, false))
    }

    func arm() { state.withLock { $0.isArmed = true } }

    var hasFired: Bool { state.withLock { $0.hasFired } }

    func fires(_ isMoment: Bool) -> Bool {
        state.withLock { state in
            guard isMoment, state.isArmed else { return false }
            state = (false, true)
            return true
        }
    }
}
