internal import JSON
internal import LocalServer
internal import SoakSupport
internal import Platform
internal import Testing

/// The server's ordering defect (contract §9.1): its journal's numbers sorted as text.
struct OrderDefectTests {
    /// The number of the journal's newest row, read off a fresh checkpoint.
    private func journalEnd(_ setting: Setting) throws -> Int {
        var cursor: [UInt8] = []
        var reader = JSONReader(try ask(setting.server.port, "/api/v1/changes"))
        try reader.object { reader, name throws(JSONError) in
            if name == "nextCursor" { cursor = Array(try reader.string().utf8) } else { try reader.skip() }
        }
        var (bits, count, text) = (UInt32(0), 0, "")
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in cursor {
            bits = bits << 6 | UInt32(alphabet.firstIndex(of: byte) ?? 0)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: bits >> UInt32(count))))
        }
        return try #require(text.split(separator: "\"").dropFirst(3).first.flatMap { Int($0) })
    }

    private func deliver(until end: Int, seed: Int, _ setting: Setting) throws {
        let count = end - (try journalEnd(setting))
        try setting.control("/deliver?to=info@example.test&seed=\(seed)&count=\(count)")
        #expect(try journalEnd(setting) == end)
    }

    /// Runs a pass; answers the numbers it tells.
    private func pass(_ herald: Herald) throws -> [String: Int] {
        let ended = try herald.run("--sync-once", "--json")
        try #require(ended.code == 0, "\(ended.errors)")
        return try numbers(ended.output)
    }

    private func repaired(_ herald: Herald) throws -> Int {
        try #require(try numbers(herald.run("status", "--json").output)["repaired"])
    }

    /// The numbers of the first account.
    private func numbers(_ bytes: [UInt8]) throws -> [String: Int] {
        var numbers: [String: Int] = [:]
        var reader = JSONReader(bytes)
        try reader.object { reader, name throws(JSONError) in
            guard name == "accounts" else { return try reader.skip() }
            try reader.array { reader throws(JSONError) in
                try reader.object { reader, name throws(JSONError) in
                    if try reader.kind() == .number { numbers[name] = try reader.int() } else { try reader.skip() }
                }
            }
        }
        return numbers
    }

    private func expectEqualToFresh(_ setting: Setting) throws {
        let fresh = try Herald(origin: setting.herald.origin)
        _ = try pass(fresh)
        let (ours, theirs) = (try setting.herald.cachePath(), try fresh.cachePath())
        let found = try CacheDump(path: ours).differences(to: try CacheDump(path: theirs))
        #expect(found.isEmpty, "\(found)")
    }

    /// Fails when a large burst makes every client list everything again, though no row can have been lost.
    @Test func `a burst whose numbers have equally many digits costs no re-listing`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.control("/order?as=text")
        try deliver(until: 1_200, seed: 1, setting)
        _ = try pass(setting.herald)
        try deliver(until: 4_200, seed: 2, setting)

        let report = try pass(setting.herald)

        #expect(report["inserted"] == 3_000)
        #expect(report["requests"] == 32)
        #expect(try repaired(setting.herald) == 0)
        try expectEqualToFresh(setting)
    }

    /// Fails when rows that the server never delivers stay away, or come back without being counted.
    @Test func `a burst that crosses a power of ten is repaired and the repair counted`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.control("/order?as=text")
        try deliver(until: 995, seed: 1, setting)
        _ = try pass(setting.herald)
        try deliver(until: 1_145, seed: 2, setting)

        let report = try pass(setting.herald)

        #expect(report["inserted"] == 150)
        #expect(try repaired(setting.herald) == 4)
        try expectEqualToFresh(setting)
        #expect(try pass(setting.herald)["requests"] == 3)
    }
}
