internal import JSON
internal import MailTestSupport

/// What was taken for the time of one request.
enum Wink {
    case access(String, level: String)
    case role(String)
}

// Changes of which the feed says nothing, or not all.
extension World {
    /// Moves a message to any mailbox: of one that leaves sight, no feed tells.
    mutating func move() throws {
        guard let id = item(), let target = address() else { return }
        try verb("/move?id=\(id)&to=\(target)")
        items[id]?.address = target
        disturb(id)
        log.append("move \(id) to \(target)")
    }

    /// Makes a mailbox, moves messages there and removes it: nobody sees them any more, and no list tells.
    mutating func vanish() throws {
        let name = id("gone")
        try verb("/make-mailbox?address=\(name)@example.test&id=mbx_\(name)")
        for _ in 0..<(1 + random.below(3)) {
            guard let id = item() else { break }
            try verb("/move?id=\(id)&to=\(name)@example.test")
            items[id]?.isOrphan = true
            log.append("vanish \(id)")
        }
        try verb("/delete-mailbox?address=\(name)@example.test")
    }

    /// Takes access to a mailbox away, changes mail there or not, and gives the access back, now or later.
    ///
    /// The levels are the same before and after; only what a client reads in between could tell.
    mutating func blink() throws {
        guard role != "owner", let (target, level) = grant() else { return try move() }
        disturb { $0.address == target }
        try setAccess(target, nil)
        if taken == nil, random.percent(60) {
            taken = (target, level)
            if isInPass, random.percent(40) { gapTarget = target } else { pin(target) }
            return
        }
        if let id = item(where: { $0.address == target && !$0.isOrphan }) {
            try verb("/touch?id=\(id)&action=star")
            log.append("star \(id)")
        }
        try setAccess(target, level)
    }

    /// Gives access back that a blink took.
    mutating func endBlink() throws {
        guard let (target, level) = taken, !isPinned(target) else { return }
        taken = nil
        if isInPass, gapTarget == target { hasHiddenGap = true }
        gapTarget = nil
        guard levels[target] != nil else { return }
        try setAccess(target, level)
    }

    /// Takes access, or the role of an owner, until the next request.
    mutating func wink() throws {
        if role == "owner" {
            disturb { _ in true }
            winked = .role(role)
            try setRole("member")
        } else if let (target, level) = grant() {
            disturb { $0.address == target }
            winked = .access(target, level: level)
            try setAccess(target, nil)
        }
    }

    /// Gives back what a wink took.
    mutating func endWink() throws {
        guard let wink = winked else { return }
        winked = nil
        switch wink {
        case .role(let role): try setRole(role)
        case .access(let target, let level): if levels[target] != nil { try setAccess(target, level) }
        }
    }

    /// A mailbox the user has a grant for, and its level.
    private mutating func grant() -> (String, String)? {
        let current = self
        guard let target = address(where: { current.levels[$0] ?? nil != nil && !current.isPinned($0) }),
            let level = levels[target] ?? nil
        else { return nil }
        return (target, level)
    }

    mutating func setAccess(_ target: String, _ level: String?) throws {
        try verb("/access?user=\(user)&mailbox=\(target)&level=\(level ?? "none")")
        levels[target] = .some(level)
        log.append("access \(target) \(level ?? "none")")
    }

    mutating func setRole(_ next: String) throws {
        try verb("/role?user=\(user)&role=\(next)")
        role = next
        log.append("role \(next)")
    }

    /// Sets how long a mailbox keeps its mail, lets time pass, and runs the daily job.
    mutating func retain() throws {
        if let target = address(), random.percent(60) {
            let trash = random.percent(20) ? "none" : String(random.below(3))
            let age = random.percent(25) ? "&ageDays=\(1 + random.below(4))" : ""
            try verb("/retention?mailbox=\(target)&trashDays=\(trash)\(age)")
            log.append("retention \(target) \(trash)\(age)")
        }
        let hours = 1 + random.below(30)
        try verb("/clock?advance=\(hours * 3_600_000)")
        let answer = try verb("/purge")
        var reader = JSONReader(answer)
        var ids: [String] = []
        try reader.object { reader, name throws(JSONError) in
            if name == "ids" { ids = try reader.strings() } else { try reader.skip() }
        }
        for id in ids { items[id] = nil }
        log.append("\(hours) hours later: \(ids.count) purged")
    }
}
