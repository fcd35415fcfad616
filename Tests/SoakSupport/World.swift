internal import JSON
internal import MailTestSupport

/// The server's mail as the generator made it, and the next random change to it.
///
/// Changes of which the feed is silent (contract §9) are among them. One of them only a check of all rows heals, and so
/// a run with it ends with one: a mailbox that is out of sight while pages of a listing are read, and back before the
/// same pass reads the mailbox list again.
package struct World {
    struct Item {
        var thread: String
        /// The address of its mailbox; `nil` for mail of nobody.
        var address: String?
        var isOrphan = false
    }

    /// The bearer's name: owner, admin or member.
    package let user: String
    let controlPort: Int
    var random: SeededNumbers
    var role: String
    /// The mailboxes that exist, with the level of a user who is not the owner.
    var levels: [String: String?]
    var items: [String: Item] = [:]
    var drafts: [String] = []
    package var isInPass = false
    /// The mailbox whose access was taken for a while, and the level to give back.
    var taken: (String, String)?
    /// What to give back before the next request.
    var winked: Wink?
    /// The mailbox whose access may come back in the pass in which it was taken.
    var gapTarget: String?
    /// Whether access was given back in the pass in which it was taken.
    package var hasHiddenGap = false
    /// Mailboxes whose access must stay as it is until the pass has ended.
    private var pinned: Set<String> = []
    /// Messages that were out of sight at some time or changed their mailbox, whose texts may go.
    package private(set) var disturbed: Set<String> = []
    private var serial = 0
    /// What was done, for people.
    package var log: [String] = []

    package init(user: String, controlPort: Int, seed: UInt64) {
        self.user = user
        self.controlPort = controlPort
        random = SeededNumbers(seed: seed)
        role = user
        levels = [:]
        for name in ["billing", "info", "noreply", "sales", "support"] {
            levels[name + "@example.test"] = .some(nil)
        }
        levels["ops@ops.example.test"] = .some(nil)
        if user != "owner" { levels["support@example.test"] = user == "admin" ? "manager" : "agent" }
        if user == "admin" { levels["ops@ops.example.test"] = "agent" }
    }

    var isOwner: Bool { role == "owner" }

    func isReadable(_ address: String) -> Bool {
        guard let level = levels[address] else { return false }
        return isOwner || level != nil
    }

    /// The messages the user can see.
    package var visible: Set<String> {
        Set(items.filter { isVisible($0.value) }.keys)
    }

    private func isVisible(_ item: Item) -> Bool {
        if item.isOrphan { return false }
        return item.address.map { isReadable($0) } ?? isOwner
    }

    /// Ends a pass: what was held for it may change again.
    ///
    /// - Throws: when the server does not take it.
    package mutating func passed() throws {
        isInPass = false
        gapTarget = nil
        pinned = []
        try endWink()
    }

    // MARK: - Choosing

    mutating func id(_ prefix: String) -> String {
        serial += 1
        return "\(prefix)_\(String(random.next() % 1_000_000, radix: 36))_\(serial)"
    }

    mutating func address(where isWanted: (String) -> Bool = { _ in true }) -> String? {
        random.pick(levels.keys.filter(isWanted).sorted())
    }

    mutating func item(where isWanted: (Item) -> Bool = { !$0.isOrphan }) -> String? {
        random.pick(items.filter { isWanted($0.value) }.keys.sorted())
    }

    func isPinned(_ address: String) -> Bool { pinned.contains(address) }
    mutating func pin(_ address: String) { if isInPass { pinned.insert(address) } }

    /// Notes that everything the user can see of a mailbox may be out of sight for a while.
    mutating func disturb(where isWanted: (Item) -> Bool) {
        disturbed.formUnion(items.filter { isWanted($0.value) }.keys)
    }

    mutating func disturb(_ id: String) { disturbed.insert(id) }

    /// An instant of few, so that many messages share one.
    mutating func instant() -> String {
        let (day, hour) = (1 + random.below(28), random.below(24))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "2026-0\(1 + random.below(9))-\(two(day))T\(two(hour)):00:00.000Z"
    }

    @discardableResult
    func verb(_ target: String, body: [UInt8] = []) throws -> [UInt8] {
        let answer = try WireClient(port: controlPort).send("POST", target, body: body)
        guard answer.status == 200 else { throw RefusedVerb(target: target) }
        return answer.bytes
    }
}
