internal import Platform

/// Chooses the program that shows a file.
///
/// The person's own mailcap is asked first; then, on a desktop, what the desktop uses; then the system's mailcap.
struct FileOpener {
    /// How a file is shown.
    enum Plan: Hashable, Sendable {
        /// By a program with a window of its own, which is not waited for.
        case window([String], input: String?)
        /// By a program that needs the terminal.
        case terminal([String], input: String?)
    }

    /// Files whose entries are asked before the desktop, and after it.
    var own: [String]
    var system: [String]
    var hasDesktop: Bool

    private static let bytesMax = 4 << 20

    /// What holds for this person.
    static func current(_ places: Places) -> FileOpener {
        let hasDesktop = Environment.value("DISPLAY") != nil || Environment.value("WAYLAND_DISPLAY") != nil
        if let path = Environment.value("MAILCAPS") {
            return FileOpener(own: path.split(separator: ":").map(String.init), system: [], hasDesktop: hasDesktop)
        }
        let home = places.isSelfContained ? nil : Environment.value("HOME")
        return FileOpener(
            own: home.map { [$0 + "/.mailcap"] } ?? [],
            system: ["/etc/mailcap", "/usr/share/etc/mailcap", "/usr/local/etc/mailcap"], hasDesktop: hasDesktop)
    }

    /// The plan for a file of ours; `nil` when nothing here shows such files.
    func plan(path: String, type: String) async -> Plan? {
        if let plan = await mailcapPlan(own, path, type) { return plan }
        let desktop: Plan? =
            ChildProcess.isThere("xdg-open") ? .window(["xdg-open", path], input: nil) : nil
        if hasDesktop, let desktop { return desktop }
        return await mailcapPlan(system, path, type) ?? desktop
    }

    /// How the file must be called for the entry that will show it: `%s.html`; `nil` when it may keep its name.
    private func mailcapPlan(_ files: [String], _ path: String, _ type: String) async -> Plan? {
        // Only what a type is made of goes into a command.
        let type = String(
            FileDanger.bare(type).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "/.+-_".contains($0)) })
        for file in files {
            guard let bytes = try? Files.readRegular(file, bytesMax: FileOpener.bytesMax) else { continue }
            for entry in Mailcap(String(decoding: bytes, as: UTF8.self)).entries(for: type) {
                guard await holds(entry, path, type) else { continue }
                return plan(entry, path, type)
            }
        }
        return nil
    }

    private func plan(_ entry: Mailcap.Entry, _ path: String, _ type: String) -> Plan {
        let path = entry.nameTemplate.flatMap { FileOpener.renamed(path, $0) } ?? path
        var (command, namesFile) = Mailcap.command(entry.command, path: path, type: type)
        let input = namesFile ? nil : path
        if entry.isCopious { command = "{ \(command)\n} | \(Environment.value("PAGER") ?? "less")" }
        let arguments = ["/bin/sh", "-c", command]
        return entry.needsTerminal || entry.isCopious
            ? .terminal(arguments, input: input) : .window(arguments, input: input)
    }

    /// The path with the ending that a template asks for; a second name is made for the file.
    private static func renamed(_ path: String, _ template: String) -> String? {
        guard template.hasPrefix("%s"), template.count > 2 else { return nil }
        let ending = String(template.dropFirst(2))
        let isPlain = ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
        guard isPlain, !path.hasSuffix(ending) else { return nil }
        return Files.addName(path + ending, to: path) ? path + ending : nil
    }

    private func holds(_ entry: Mailcap.Entry, _ path: String, _ type: String) async -> Bool {
        guard let test = entry.test, !test.isEmpty else { return true }
        let command = Mailcap.command(test, path: path, type: type).text
        guard let child = try? ChildProcess(["/bin/sh", "-c", command]) else { return false }
        let timer = Task {
            try await Task.sleep(for: .seconds(10))
            child.send(9)
        }
        defer { timer.cancel() }
        return await child.ended().isSuccess
    }
}
