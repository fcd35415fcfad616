internal import MailTestSupport

extension World {
    private static let paths = ["/api/v1/mailboxes", "/api/v1/messages", "/api/v1/changes", "/api/v1/drafts"]
    private static let members = [
        "id", "threadId", "folder", "createdAt", "to", "nextCursor", "hasMore", "changes", "message", "type",
        "accessLevel", "address", "isActive", "version", "updatedAt", "receivedAt",
    ]

    /// Has the next pass meet random faults; answers how long it should wait for an answer.
    ///
    /// - Throws: when the server does not take it.
    package mutating func setFaults() throws -> Double {
        var secondsMax = 120.0
        for _ in 0..<(1 + random.below(3)) {
            let kind = faultKind()
            if kind.hasPrefix("stall") { secondsMax = 0.25 }
            let path = random.pick(World.paths) ?? ""
            let fault = "/fault?path=\(path)&nth=\(1 + random.below(6))&times=\(1 + random.below(4))&kind=\(kind)"
            try verb(fault)
            log.append("fault \(path) \(kind)")
        }
        return secondsMax
    }

    /// Removes all faults.
    ///
    /// - Throws: when the server does not take it.
    package func clearFaults() throws { try verb("/fault") }

    private mutating func faultKind() -> String {
        switch random.below(14) {
        case 0...3:
            return "status&status=\(random.pick([400, 401, 403, 404, 410, 410, 429, 500, 502, 503]) ?? 500)"
        case 4: return "page"
        case 5: return "broken"
        case 6: return "type&member=\(random.pick(World.members) ?? "id")"
        case 7: return "cut&bytes=\(random.below(2_000))"
        case 8: return random.percent(20) ? "stall&ms=600" : "close"
        case 9: return random.percent(20) ? "stall&ms=600&bytes=\(random.below(500))" : "cut&bytes=0"
        case 10: return "link"
        case 11: return "loop"
        case 12: return "endless"
        default: return random.percent(10) ? "huge&bytes=17000000" : "close"
        }
    }
}
