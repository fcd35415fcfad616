internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import SoakSupport
internal import Testing

/// The real program killed in the middle of its writing, by `HERALD_FAULT`.
struct KillTests {
    /// Every how-manieth statement is tried: all of them in a soak, a few in an ordinary run.
    private static let stride = Environment.value("HERALD_SOAK_SECONDS") == nil ? 23 : 1

    /// A program with files of its own that looks at the same server.
    private func another(_ setting: Setting) throws -> Herald { try Herald(origin: setting.herald.origin) }

    private func sync(_ herald: Herald) throws {
        let ended = try herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
    }

    /// The differences between a cache after one clean pass and one made from nothing.
    private func differences(_ herald: Herald, _ truth: CacheDump) throws -> [String] {
        try sync(herald)
        return try CacheDump(path: try herald.cachePath()).differences(to: truth)
    }

    /// Kills a copy of the program at one point; answers whether it came that far.
    private func wasKilled(_ herald: Herald, at fault: String) throws -> Bool {
        var doomed = herald
        doomed.variables["HERALD_FAULT"] = fault
        let ended = try doomed.run("--sync-once")
        guard ended.code != 0 else { return false }
        #expect(ended.code == 128 + SIGKILL, "\(fault): \(ended.errors)")
        return true
    }

    /// Fails when a pass killed between any two statements leaves something that the next pass does not mend.
    @Test(arguments: ["statement", "commit"])
    func `a bootstrap killed anywhere is taken up by the next pass`(_ kind: String) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let whole = try another(setting)
        try sync(whole)
        let truth = try CacheDump(path: try whole.cachePath())
        var (point, kills) = (1, 0)
        while true {
            let herald = try another(setting)
            guard try wasKilled(herald, at: "\(kind):\(point)") else { break }
            let found = try differences(herald, truth)
            #expect(found.isEmpty, "\(kind):\(point): \(found)")
            kills += 1
            point += kind == "commit" ? 1 : KillTests.stride
        }
        #expect(kills >= 5)
    }

    /// Fails when a pass over changes killed between any two statements loses, keeps or doubles a change.
    @Test(arguments: ["statement", "commit"])
    func `changes killed anywhere are taken up by the next pass`(_ kind: String) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let before = try another(setting)
        try sync(before)
        try setting.control("/storm?seed=5&count=40")
        let whole = try another(setting)
        try sync(whole)
        let truth = try CacheDump(path: try whole.cachePath())
        var (point, kills) = (1, 0)
        while true {
            let herald = try another(setting)
            try copyTree(before.home.path, to: herald.home.path)
            guard try wasKilled(herald, at: "\(kind):\(point)") else { break }
            let found = try differences(herald, truth)
            #expect(found.isEmpty, "\(kind):\(point): \(found)")
            kills += 1
            point += kind == "commit" ? 1 : KillTests.stride
        }
        // One page of changes is one commit, and a pass leaves no other.
        #expect(kills >= 1)
    }

    private func copyTree(_ source: String, to target: String) throws {
        for name in Files.names(in: source) {
            let (from, to) = (source + "/" + name, target + "/" + name)
            if Files.isDirectory(from) {
                try Files.makeDirectory(to)
                try copyTree(from, to: to)
            } else {
                try Files.replace(to, with: try Files.read(from))
            }
        }
    }
}
