internal import Glibc
internal import MailTestSupport
internal import Platform

/// A session bus with gnome-keyring, unlocked, that ends with the test.
final class Keyring {
    private let home: Scratch
    private let session: RunningHerald

    /// Whether the programs for one are here; says so when not, since tests are then skipped.
    static let isAllowed: Bool = {
        let names = ["dbus-run-session", "dbus-send", "gnome-keyring-daemon", "secret-tool"]
        let missing = names.filter { !ChildProcess.isThere($0) }
        guard !missing.isEmpty else { return true }
        Files.writeAll(2, Array("Skipped: a keyring needs \(missing.joined(separator: ", ")).\n".utf8))
        return false
    }()

    init() throws {
        home = try Scratch()
        for name in [".cache", ".local", ".local/share", "run"] { try Files.makeDirectory(home.path + "/" + name) }
        // The inner shell becomes the process whose end is that of the session.
        let inner = """
            printf pw | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
            echo "$DBUS_SESSION_BUS_ADDRESS" >bus; echo $! >daemon; echo $$ >session; exec sleep 1000000
            """
        session = try RunningHerald(
            ["/usr/bin/dbus-run-session", "--", "/bin/sh", "-c", "cd '\(home.path)'; " + inner],
            environment: ["HOME": home.path, "XDG_RUNTIME_DIR": home.path + "/run", "PATH": "/usr/bin:/bin"],
            directory: home.path, keeping: home)
        guard comesTrue(ceiling: 120, { self.processID("session") != nil && self.isOpen }) else {
            throw SetupError.noAnswer("the keyring")
        }
    }

    deinit {
        for name in ["daemon", "session"] {
            guard let process = processID(name) else { continue }
            kill(process, SIGCONT)
            kill(process, SIGKILL)
        }
        _ = session.wait(ceiling: 60)
    }

    private func processID(_ name: String) -> pid_t? { home.lines(name).first.flatMap { pid_t($0) } }

    /// What a program needs in its environment to find it.
    var variables: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": home.lines("bus").first ?? ""] }

    private func ask(_ words: [String]) -> String {
        let asked = try? RunningHerald(
            words, environment: variables.merging(["PATH": "/usr/bin:/bin"]) { $1 }, directory: home.path)
        return asked?.wait(ceiling: 60)?.text ?? ""
    }

    /// Whether the daemon is on the bus; asking the daemon itself before would have the bus start another one, locked.
    private var isThere: Bool {
        let words = [
            "/usr/bin/dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
            "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets",
        ]
        return ask(words).contains("boolean true")
    }

    private var isOpen: Bool {
        guard isThere else { return false }
        let words = [
            "/usr/bin/dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.secrets",
            "/org/freedesktop/secrets/aliases/default", "org.freedesktop.DBus.Properties.Get",
            "string:org.freedesktop.Secret.Collection", "string:Locked",
        ]
        return ask(words).contains("boolean false")
    }

    /// Everything that is in it and of the program.
    var content: String { ask(["/usr/bin/secret-tool", "search", "--all", "application", "herald"]) }

    func lock() {
        _ = ask([
            "/usr/bin/dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
            "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
            "array:objpath:/org/freedesktop/secrets/collection/login",
        ])
    }

    /// Stops it in its tracks, or lets it go on.
    func halt(_ isHalted: Bool) {
        if let process = processID("daemon") { kill(process, isHalted ? SIGSTOP : SIGCONT) }
    }
}
